import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { assertIsFolder, chosenRegisters } from './registers-folder.js';

export interface Options {
  readonly port: number;
  readonly data: string;
  readonly registers: string;
  readonly demo: boolean;
  readonly rows: number;
  readonly logLevel: string;
  readonly newKey: boolean;
}

const USAGE_EXIT_CODE = 2;

const wholeNumber = (max: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max) throw new InvalidArgumentError(`must be a whole number from 0 to ${max}.`);
  return value;
};

/** @throws CommanderError, after the reason or the help was written: its exit code is 0 after help and 2 after wrong usage. */
export function optionsOf(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Options {
  const program = programOf().exitOverride((error) => {
    throw new CommanderError(error.exitCode === 0 ? 0 : USAGE_EXIT_CODE, error.code, error.message);
  });
  const given = program.parse(args, { from: 'user' }).opts<Omit<Options, 'registers'> & { registers?: string; newKey?: true }>();
  const registers = chosenRegisters(given.registers, env);
  try {
    assertIsFolder(registers);
  } catch (error) {
    program.error(`error: ${(error as Error).message}`);
  }
  return { ...given, data: resolve(given.data), registers, newKey: given.newKey ?? false };
}

function programOf(): Command {
  return new Command('npm start --')
    .description('Runs all of Lacuna in one process, with a PostgreSQL of its own, example registers and a sample source.')
    .option('--port <number>', 'port of the API on 127.0.0.1 (0: any free one)', wholeNumber(65_535), 8080)
    .option('--data <folder>', 'where everything is kept between starts', '.lacuna')
    .option('--registers <folder>', 'folder of the register files (default: LACUNA_REGISTERS, else registers/ of the repository)')
    .option('--no-demo', 'do not run the demonstrations')
    .option('--rows <number>', 'rows of the sample table', wholeNumber(2_000_000), 100_000)
    .option('--new-key', 'make and print another API key, for a lost one')
    .addOption(
      new Option('--log-level <level>', 'least level that the services log')
        .choices(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
        .default('warn'),
    );
}
