/** Runs one command; every way it can end is an exit code. */
import { CommanderError } from 'commander';
import { CliError, exitCodes } from './cli-error.js';
import { buildProgram } from './program.js';
import type { Surroundings } from './surroundings.js';

/** @param args without the program's own name */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const outcome = { exitCode: exitCodes.done as number };
  const program = buildProgram(surroundings, outcome);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    surroundings.say(`lacuna: ${lineOf(error, surroundings.env)}`);
    return error instanceof CliError ? error.exitCode : exitCodes.failure;
  }
}

/** One line, unless LACUNA_LOG_LEVEL=debug asks for where it came from. */
function lineOf(error: unknown, env: Surroundings['env']): string {
  if (!(error instanceof Error)) return String(error);
  if (env['LACUNA_LOG_LEVEL'] === 'debug' && !(error instanceof CliError)) return error.stack ?? error.message;
  return error.message.trim().replaceAll(/\s*\n\s*/g, '; ') || error.name;
}
