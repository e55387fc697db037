/** The commands and their options. What a command does is imported when it runs: `--help` must not wait for Kafka's client. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AskOptions } from './ask/ask.js';
import { exitCodesHelp } from './cli-error.js';
import type { ListDeadLettersOptions } from './dead-letters/list-dead-letters.js';
import type { ReceiptOptions } from './receipt/show-receipt.js';
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

const environmentHelp = `
Environment:
  LACUNA_URL, LACUNA_API_KEY or LACUNA_API_KEY_FILE   for ask and receipt; a key is never an argument
  LACUNA_LOG, LACUNA_KAFKA_BROKERS, ...               for dlq and topics: "lacuna config" lists them

API keys are issued beside the database: node apps/gateway/dist/issue-key.js --help
`;

export function buildProgram(surroundings: Surroundings, outcome: Outcome): Command {
  const program = new Command('lacuna')
    .description('Asks Lacuna questions, shows and verifies receipts, and administers its event log.')
    .option('--url <url>', 'address of the gateway (LACUNA_URL; default http://127.0.0.1:8080)')
    .exitOverride()
    .configureOutput({ writeOut: surroundings.print, writeErr: (text) => surroundings.say(text.trimEnd()) })
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', `${environmentHelp}${exitCodesHelp}`);
  addAsk(program, surroundings, outcome);
  addReceipt(program, surroundings);
  addDeadLetters(program, surroundings);
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
