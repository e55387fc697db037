/** The commands and their options. What a command does is imported when it runs: `--help` must not wait for Kafka's client. */
import { Command, InvalidArgumentError } from 'commander';
import { exitCodesHelp } from './cli-error.js';
import type { Surroundings } from './surroundings.js';

export interface Outcome {
  exitCode: number;
}

const REPLICATION_MAX = 15;
const PARTITIONS_MAX = 1_000;

export function buildProgram(surroundings: Surroundings, outcome: Outcome): Command {
  const program = new Command('lacuna')
    .description('Asks Lacuna questions, shows and verifies receipts, and administers its event log.')
    .exitOverride()
    .configureOutput({ writeOut: surroundings.print, writeErr: (text) => surroundings.say(text.trimEnd()) })
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', exitCodesHelp);
  void outcome;
  addTopics(program, surroundings);
  return program;
}

function addTopics(program: Command, surroundings: Surroundings): void {
  const topics = inheriting(program, 'topics').description('topics of the event log in Kafka (LACUNA_KAFKA_BROKERS)');
  inheriting(topics, 'apply')
    .description('make the topics that are missing; nothing is deleted or altered, differences are named')
    .option(
      '--replication <number>',
      'copies of a topic that is made (default: 3, or the number of brokers)',
      wholeNumber(1, REPLICATION_MAX),
    )
    .option('--partitions <number>', 'partitions of a topic that is made (default: LACUNA_PARTITIONS)', wholeNumber(1, PARTITIONS_MAX))
    .action(async (options: { replication?: number; partitions?: number }) => {
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
