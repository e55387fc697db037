/** The commands and their options. What a command does is imported when it runs: `--help` must not wait for Kafka's client. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { AskOptions } from './ask/ask.js';
import type { ExceptOptions } from './exceptions/except.js';
import type { ShowOptions } from './gateway/show-answer.js';
import { exitCodesHelp } from './cli-error.js';
import type { CheckOptions } from './contract/check-contract.js';
import type { ContractOptions } from './contract/explain-contract.js';
import type { ListDeadLettersOptions } from './dead-letters/list-dead-letters.js';
import type { ReceiptOptions } from './receipt/show-receipt.js';
import type { ReplayOptions } from './replay/replay.js';
import type { Surroundings } from './surroundings.js';
import type { ApplyTopicsOptions } from './topics/apply-topics.js';

export interface Outcome {
  exitCode: number;
}

const WAIT_SECONDS_MAX = 60;
const WAIT_SECONDS_DEFAULT = 30;
const REPLICATION_MAX = 15;
const PARTITIONS_MAX = 1_000;
const NEWEST_MAX = 100;
const NEWEST_DEFAULT = 5;
const CHECK_PAGES_MAX = 1_000;
const CHECK_PAGES_DEFAULT = 10;

const REPLAY_WAIT_SECONDS_MAX = 86_400;
const REPLAY_WAIT_SECONDS_DEFAULT = 60;

const replayHelp = `
It needs LACUNA_LOG and LACUNA_DATABASE_URL as gateway has them. Gateway may run meanwhile: it notices within seconds, and says
"not known yet" of what it has not read again. Refused when the topic's beginning has expired: emptied tables would not come back.
Exit code 12: begun, and not done within --wait; it goes on by itself.
`;

const environmentHelp = `
Environment:
  LACUNA_URL, LACUNA_API_KEY or LACUNA_API_KEY_FILE   for all that asks the gateway; a key is never an argument
  LACUNA_LOG, LACUNA_KAFKA_BROKERS, ...               for dlq, replay and topics: "lacuna config" lists them

API keys: npm start prints one at its first start, and npm start -- --new-key makes another; where services run\non their own, keys are issued beside the database: node apps/gateway/dist/issue-key.js --help
`;

export function buildProgram(surroundings: Surroundings, outcome: Outcome): Command {
  const program = new Command('lacuna')
    .description('Asks Lacuna questions, decides cases, shows and verifies receipts, and administers its event log.')
    .option('--url <url>', 'address of the gateway (LACUNA_URL; default http://127.0.0.1:8080)')
    .exitOverride()
    .configureOutput({ writeOut: surroundings.print, writeErr: (text) => surroundings.say(text.trimEnd()) })
    .addHelpText('beforeAll', ({ command, error }) => (error ? '' : refuseUnknown(command)))
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', `${environmentHelp}${exitCodesHelp}`);
  addAsk(program, surroundings, outcome);
  addCases(program, surroundings);
  addAuthorisations(program, surroundings);
  addException(program, surroundings);
  addReceipt(program, surroundings);
  inheriting(program, 'registers')
    .description('what can be asked, and with which identifiers')
    .option('--json', "the API's answer, unchanged")
    .action(async (_options: unknown, command: Command) => {
      const { listRegisters } = await import('./registers/list-registers.js');
      await listRegisters(command.optsWithGlobals<ShowOptions>(), surroundings);
    });
  addDeadLetters(program, surroundings);
  addReplay(program, surroundings, outcome);
  addContract(program, surroundings, outcome);
  addTopics(program, surroundings);
  inheriting(program, 'config')
    .description('all configuration keys of the services')
    .action(async () => (await import('./show-config.js')).showConfig(surroundings));
  return program;
}

function addAsk(program: Command, surroundings: Surroundings, outcome: Outcome): void {
  inheriting(program, 'ask')
    .description('ask one question and wait for its answer')
    .argument('<register>', 'name of a register')
    .argument('<name=value...>', 'identifiers, such as account=ACC-000001')
    .addOption(
      new Option(
        '--kind <kind>',
        'exists: is there one? gone: is it gone, in whatever status? enumerate: which are there, and how many? (default: exists)',
      ).choices(['exists', 'gone', 'enumerate']),
    )
    .option('--create <json>', 'create this record when nothing matches and the policy allows it; @file reads it from a file')
    .option(
      '--wait <seconds>',
      `how long to wait for the answer, 0 to ${WAIT_SECONDS_MAX}`,
      wholeNumber(0, WAIT_SECONDS_MAX),
      WAIT_SECONDS_DEFAULT,
    )
    .option('--idempotency-key <key>', 'the same key and question are one question, also when it is repeated')
    .addOption(new Option('--provenance <who>', 'who supplied the identifiers (default: system)').choices(['person', 'system', 'model']))
    .option('--json', "the API's answer, unchanged")
    .addHelpText('after', exitCodesHelp)
    .action(async (register: string, identifiers: string[], _options: unknown, command: Command) => {
      const { ask } = await import('./ask/ask.js');
      outcome.exitCode = await ask(register, identifiers, command.optsWithGlobals<AskOptions>(), surroundings);
    });
}

function addCases(program: Command, surroundings: Surroundings): void {
  inheriting(program, 'cases')
    .description('what waits for a person, newest first')
    .option('--all', 'closed cases too')
    .option('--json', "the API's answer, unchanged")
    .action(async (_options: unknown, command: Command) => {
      const { listCases } = await import('./cases/show-cases.js');
      await listCases(command.optsWithGlobals<ShowOptions & { all?: boolean }>(), surroundings);
    });
  inheriting(program, 'case')
    .description('show a case')
    .argument('<id>', 'such as case_...')
    .option('--json', "the API's object, unchanged")
    .action(async (caseId: string, _options: unknown, command: Command) => {
      const { showCase } = await import('./cases/show-cases.js');
      await showCase(caseId, command.optsWithGlobals<ShowOptions>(), surroundings);
    });
  inheriting(program, 'decide')
    .description('decide a case: its record is the same, or is different, or the question is to be read once more')
    .argument('<case-id>', 'such as case_...')
    .addArgument(new Argument('<decision>', 'what you say of all records of the case').choices(['same', 'different', 'rerun']))
    .option('--note <text>', 'why, for whoever reads the case')
    .option('--json', "the API's object, unchanged")
    .action(async (caseId: string, decision: string, _options: unknown, command: Command) => {
      const { decideCase } = await import('./cases/show-cases.js');
      await decideCase(caseId, decision, command.optsWithGlobals<ShowOptions & { note?: string }>(), surroundings);
    });
}

function addAuthorisations(program: Command, surroundings: Surroundings): void {
  inheriting(program, 'authorisations')
    .description('writes that wait for a person, newest first')
    .option('--all', 'those that are over too')
    .option('--json', "the API's answer, unchanged")
    .action(async (_options: unknown, command: Command) => {
      const { listAuthorisations } = await import('./authorisations/show-authorisations.js');
      await listAuthorisations(command.optsWithGlobals<ShowOptions & { all?: boolean }>(), surroundings);
    });
  inheriting(program, 'authorisation')
    .description('show an authorisation, with what would be written')
    .argument('<id>', 'such as auth_...')
    .option('--json', "the API's object, unchanged")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { showAuthorisation } = await import('./authorisations/show-authorisations.js');
      await showAuthorisation(id, command.optsWithGlobals<ShowOptions>(), surroundings);
    });
  inheriting(program, 'authorise')
    .description('approve or decline a write')
    .argument('<id>', 'such as auth_...')
    .addArgument(new Argument('<decision>', 'what you say').choices(['approve', 'decline']))
    .requiredOption('--payload-hash <sha256>', 'of the payload that you looked at: "lacuna authorisation" shows it')
    .option('--note <text>', 'why')
    .option('--json', "the API's object, unchanged")
    .action(async (id: string, decision: string, _options: unknown, command: Command) => {
      const { authorise } = await import('./authorisations/show-authorisations.js');
      await authorise(id, decision, command.optsWithGlobals<ShowOptions & { payloadHash: string; note?: string }>(), surroundings);
    });
}

function addException(program: Command, surroundings: Surroundings): void {
  inheriting(program, 'except')
    .description('accept the risk of a hold: its record is written once, and the verdict stays what it is')
    .argument('<question-id>', 'whose newest verdict is a hold')
    .requiredOption('--receipt-hash <sha256>', 'of the hold that you looked at: "lacuna ask --json" and the case show it')
    .requiredOption('--payload <json>', 'the record to be written, as it was asked for; @file reads it from a file')
    .requiredOption('--reason <text>', 'why; it stands beside the verdict for ever')
    .option('--lives <seconds>', 'how long it may wait to be carried out, 1 to 86400 (default: 900)', wholeNumber(1, 86_400))
    .option('--json', "the API's answer, unchanged")
    .action(async (questionId: string, _options: unknown, command: Command) => {
      const { except } = await import('./exceptions/except.js');
      await except(questionId, command.optsWithGlobals<ExceptOptions>(), surroundings);
    });
}

function addReceipt(program: Command, surroundings: Surroundings): void {
  inheriting(program, 'receipt')
    .description('show a receipt')
    .argument('<id>', 'such as rcp_...')
    .option('--verify <file>', 'check its signature with this public key (PEM) and show it only if it holds')
    .addOption(new Option('--envelope', "the DSSE envelope's exact bytes").conflicts('json'))
    .option('--json', "the API's object, unchanged")
    .action(async (receiptId: string, _options: unknown, command: Command) => {
      const { showReceipt } = await import('./receipt/show-receipt.js');
      await showReceipt(receiptId, command.optsWithGlobals<ReceiptOptions>(), surroundings);
    });
}

function addDeadLetters(program: Command, surroundings: Surroundings): void {
  const dlq = inheriting(program, 'dlq').description('messages that could not be handled, in the log that LACUNA_LOG names');
  inheriting(dlq, 'list')
    .description('how many there are of each topic and service, and why the newest failed')
    .option('--topic <name>', 'of this topic, or dead-letter topic, alone')
    .option('--newest <number>', `how many to show of each, 1 to ${NEWEST_MAX}`, wholeNumber(1, NEWEST_MAX), NEWEST_DEFAULT)
    .option('--payload', 'show their payloads too, which may hold personal data')
    .option('--json', 'as one JSON object')
    .action(async (options: ListDeadLettersOptions) => {
      const { listDeadLetters } = await import('./dead-letters/list-dead-letters.js');
      await listDeadLetters(options, surroundings);
    });
  lettersOf(dlq, 'show', 'show letters with their payloads, which may hold personal data').action(
    async (topic: string, places: string[], options: LetterOptions) => {
      const { showLetters } = await import('./dead-letters/settle-letters.js');
      await showLetters({ topic, places, ...options }, surroundings);
    },
  );
  lettersOf(dlq, 'requeue', 'put letters back where they came from, byte for byte; handled there, their questions are cleared').action(
    async (topic: string, places: string[], options: LetterOptions) => {
      const { settleLetters } = await import('./dead-letters/settle-letters.js');
      await settleLetters({ topic, places, ...options, action: 'requeued', reason: '' }, surroundings);
    },
  );
  lettersOf(dlq, 'drop', 'give letters up: they are never handled, and their questions stay blocked, to be asked anew')
    .requiredOption('--reason <text>', 'why, for whoever looks later')
    .action(async (topic: string, places: string[], options: LetterOptions & { reason: string }) => {
      const { settleLetters } = await import('./dead-letters/settle-letters.js');
      await settleLetters({ topic, places, ...options, action: 'dropped' }, surroundings);
    });
}

interface LetterOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

function lettersOf(dlq: Command, name: string, description: string): Command {
  return inheriting(dlq, name)
    .description(description)
    .argument('<topic>', 'a dead-letter topic')
    .argument('[partition/offset...]', 'letters, as "dlq list" names them')
    .option('--all', 'all that are open, 1,000 at most')
    .option('--json', 'as one JSON object');
}

function addReplay(program: Command, surroundings: Surroundings, outcome: Outcome): void {
  inheriting(program, 'replay')
    .description('give a service a topic again that fills its read model, under a new epoch; what acts on a topic is refused')
    .argument('<topic>', 'such as lacuna.verdicts.v1')
    .requiredOption('--from <where>', '"start": its tables are emptied and filled again; a time (2026-01-31T12:00:00Z): nothing is emptied')
    .option(
      '--wait <seconds>',
      `how long to wait for the service, 0 to ${REPLAY_WAIT_SECONDS_MAX}`,
      wholeNumber(0, REPLAY_WAIT_SECONDS_MAX),
      REPLAY_WAIT_SECONDS_DEFAULT,
    )
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'as one JSON object')
    .addHelpText('after', replayHelp)
    .action(async (topic: string, options: ReplayOptions) => {
      const { replay } = await import('./replay/replay.js');
      outcome.exitCode = await replay(topic, options, surroundings);
    });
}

function addContract(program: Command, surroundings: Surroundings, outcome: Outcome): void {
  const contract = inheriting(program, 'contract').description('contracts of sources: what they can ever support, without any service');
  inheriting(contract, 'explain')
    .description('how a source is read, what ends it, which no-match it can ever support, and why not more')
    .argument('<file>', 'a register file, a contract file, or the name of a preset')
    .option('--json', 'as one JSON object')
    .action(async (named: string, options: ContractOptions) => {
      const { explain } = await import('./contract/explain-contract.js');
      await explain(named, options, surroundings);
    });
  inheriting(contract, 'check')
    .description('try a contract on its live source: which of its statements were seen to be true, false, or not tried')
    .argument('<file>', 'a register file, a contract file, or the name of a preset')
    .requiredOption('--source-url <url>', 'base URL of the live source; other references are read from the environment')
    .option('--source <name>', 'which source of the register')
    .option('--identifiers <name=value...>', 'what is asked for')
    .option('--pages <number>', `how many pages to read, 1 to ${CHECK_PAGES_MAX}`, wholeNumber(1, CHECK_PAGES_MAX), CHECK_PAGES_DEFAULT)
    .option('--json', 'as one JSON object')
    .addHelpText('after', '\nIt only reads. Exit code 1: a statement was seen to be false, or nothing could be read.\n')
    .action(async (named: string, options: CheckOptions) => {
      const { check } = await import('./contract/check-contract.js');
      outcome.exitCode = await check(named, options, surroundings);
    });
  inheriting(contract, 'list')
    .description('the presets that a source can name')
    .option('--json', 'as one JSON object')
    .action(async (options: ContractOptions) => {
      const { listContracts } = await import('./contract/explain-contract.js');
      listContracts(options, surroundings);
    });
  inheriting(contract, 'show')
    .description('a preset as it is written')
    .argument('<preset>', 'its name')
    .option('--json', 'as one JSON object')
    .action(async (name: string, options: ContractOptions) => {
      const { showContract } = await import('./contract/explain-contract.js');
      showContract(name, options, surroundings);
    });
}

function addTopics(program: Command, surroundings: Surroundings): void {
  const topics = inheriting(program, 'topics').description('topics of the event log in Kafka (LACUNA_KAFKA_BROKERS)');
  inheriting(topics, 'apply')
    .description('make the topics that are missing; nothing is deleted or altered, differences are named')
    .option('--replication <number>', 'copies of a topic that is made (default: 3, or as many as brokers)', wholeNumber(1, REPLICATION_MAX))
    .option('--partitions <number>', 'partitions of a topic that is made (default: LACUNA_PARTITIONS)', wholeNumber(1, PARTITIONS_MAX))
    .action(async (options: ApplyTopicsOptions) => {
      const { applyTopics } = await import('./topics/apply-topics.js');
      await applyTopics(options, surroundings);
    });
}

/** Help that was asked for on a command that is none would hide that it is none. Nothing to print otherwise. */
function refuseUnknown(command: Command): string {
  const [name] = command.args;
  if (command.commands.length > 0 && name !== undefined && name !== 'help' && !name.startsWith('-'))
    command.error(`error: unknown command '${name}'`);
  return '';
}

/** A subcommand with the settings of its parent. */
function inheriting(parent: Command, name: string): Command {
  return parent.command(name).copyInheritedSettings(parent);
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}
