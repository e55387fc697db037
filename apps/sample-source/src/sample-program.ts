import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { findLoadedSample, loadSample, ROWS_DEFAULT, SEED_DEFAULT } from './load-sample.js';
import type { Questions } from './oracle.js';
import { chooseQuestions, COUNT_DEFAULT } from './oracle.js';
import { startSampleSource } from './server.js';

/** Results go to `print`, progress and failures to `say`. */
export interface ProgramOutput {
  print(text: string): void;
  say(line: string): void;
}

interface DatabaseOption {
  databaseUrl: string;
}

const DATABASE_URL = 'LACUNA_SOURCE_SAMPLE_DATABASE_URL';

/** The variable, or the file that `<variable>_FILE` names. An unreadable file counts as none: then the option is asked for. */
const databaseUrl = () => {
  const option = new Option('--database-url <url>', `PostgreSQL (or ${DATABASE_URL}_FILE, a file that holds it)`).env(DATABASE_URL);
  return option.default(textOfFile(process.env[`${DATABASE_URL}_FILE`]), 'none').makeOptionMandatory();
};
const rows = (otherwise?: number) =>
  new Option('--rows <number>', 'service requests in the table').argParser(wholeNumber).default(otherwise);

const USAGE_EXIT_CODE = 2;

/** Runs the command line and answers the exit code. `serve` goes on after it. */
export async function runSampleProgram(args: readonly string[], output: ProgramOutput): Promise<number> {
  const program = new Command('sample').description('A register of generated service requests, to try Lacuna on.').exitOverride();
  program.configureOutput({ writeOut: output.print, writeErr: (text) => output.say(text.trimEnd()) });
  addLoad(program, output);
  addQuestions(program, output);
  addServe(program, output);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    output.say(`sample: ${explain(error as NodeJS.ErrnoException)}`);
    return 1;
  }
}

/** Of the database: nobody listens, no such host, wrong password, no such role, no such database. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '28000', '3D000'];

function explain({ code = '', message }: NodeJS.ErrnoException): string {
  const what = message || code;
  return UNREACHABLE.includes(code) ? `${what}: check --database-url or LACUNA_SOURCE_SAMPLE_DATABASE_URL` : what;
}

function addLoad(program: Command, output: ProgramOutput): void {
  program
    .command('load')
    .description('generate the table, unless it is there already')
    .addOption(databaseUrl())
    .addOption(rows(ROWS_DEFAULT))
    .option('--seed <number>', 'of the rows', wholeNumber, SEED_DEFAULT)
    .action((options: DatabaseOption & { rows: number; seed: number }) => load(options, output));
}

function addQuestions(program: Command, output: ProgramOutput): void {
  program
    .command('questions')
    .description('identifiers to try, with the right answers; loads the table when there is none or another is asked for')
    .addOption(databaseUrl())
    .addOption(rows())
    .option('--count <number>', 'of present ones, and of absent ones', wholeNumber, COUNT_DEFAULT)
    .option('--seed <number>', 'of the choice among the rows', wholeNumber, 1)
    .option('--json', 'print one JSON object: present, absent')
    .action(async (options: DatabaseOption & { rows?: number; count: number; seed: number; json?: boolean }) => {
      const loaded = await findLoadedSample(options.databaseUrl);
      if (!loaded || (options.rows !== undefined && options.rows !== loaded.rows)) {
        await load({ databaseUrl: options.databaseUrl, rows: options.rows ?? ROWS_DEFAULT, seed: SEED_DEFAULT }, output);
      }
      const questions = await chooseQuestions(options.databaseUrl, options);
      output.print(options.json ? `${JSON.stringify({ present: questions.present, absent: questions.absent })}\n` : asText(questions));
    });
}

function addServe(program: Command, output: ProgramOutput): void {
  program
    .command('serve')
    .description('answer over HTTP until stopped')
    .addOption(databaseUrl())
    .option('--host <name>', 'interface', '127.0.0.1')
    .option('--port <number>', 'a free one for 0', wholeNumber, 8085)
    .addOption(new Option('--token <token>', 'bearer token that requests must carry').env('LACUNA_SOURCE_SAMPLE_TOKEN'))
    .action(async (options: DatabaseOption & { host: string; port: number; token?: string }) => {
      const source = await startSampleSource(options);
      output.say(`sample source: ${source.url}`);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void source.stop());
    });
}

async function load({ databaseUrl, rows, seed }: DatabaseOption & { rows: number; seed: number }, output: ProgramOutput): Promise<void> {
  const { outcome, elapsedMs } = await loadSample(databaseUrl, { rows, seed });
  output.say(
    `sample table: ${rows} service requests, ${outcome === 'loaded' ? `loaded in ${(elapsedMs / 1000).toFixed(1)} s` : 'already there'}`,
  );
}

/** One question a line: what to expect, account, reference and instance as JSON texts, and the record or the kind of near miss. */
function asText({ present, absent, nearMisses }: Questions): string {
  const line = (expected: string, { account, reference, instance }: Questions['absent'][number], last: string) =>
    `${[expected, ...[account, reference, instance].map((text) => JSON.stringify(text)), last].join('\t')}\n`;
  return [
    ...present.map((question) => line('present', question, question.recordId)),
    ...absent.map((question, index) => line('absent', question, nearMisses[index] ?? '')),
  ].join('');
}

function textOfFile(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
