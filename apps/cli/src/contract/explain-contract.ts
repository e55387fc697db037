/** `lacuna contract explain`, `list` and `show`: what a contract can ever support, computed here, without any service. */
import { readFile, stat } from 'node:fs/promises';
import { explainContract, presetNames, presetText, type RegisterFileProblem } from '@lacuna/connectors';
import { parse } from 'yaml';
import { CliError } from '../cli-error.js';
import { coloursFor } from '../colours.js';
import { printable, printableLine } from '../printable.js';
import type { Surroundings } from '../surroundings.js';
import { explanationText } from './explanation-text.js';

export interface ContractOptions {
  readonly json?: boolean;
}

const FILE_BYTES_MAX = 1_048_576;

export async function explain(named: string, options: ContractOptions, surroundings: Surroundings): Promise<void> {
  const { text, file } = await namedContract(named);
  const explained = explainContract(text, file);
  if (!explained.ok) throw new CliError(problemsText(explained.problems));
  surroundings.print(
    options.json ? `${JSON.stringify(explained, null, 2)}\n` : explanationText(explained, coloursFor(surroundings.hasColour)),
  );
}

/** A file, or the name of a preset. */
export async function namedContract(named: string): Promise<{ readonly text: string; readonly file: string }> {
  const preset = presetText(named);
  if (preset !== null) return { text: preset, file: `${named}/contract.yaml` };
  try {
    if ((await stat(named)).size > FILE_BYTES_MAX) throw new CliError(`${named} is longer than ${FILE_BYTES_MAX} bytes`);
    return { text: await readFile(named, 'utf8'), file: named };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new CliError(`${named} is no preset ("lacuna contract list" names them) and no file that can be read (${code})`);
  }
}

export const problemsText = (problems: readonly RegisterFileProblem[]): string =>
  problems.map(({ file, line, column, path, reason }) => `${file}:${line}:${column} ${printableLine(`${path} ${reason}`)}`).join('\n');

interface About {
  readonly product?: string;
  readonly endpoint?: string;
  readonly versions?: string;
  readonly documentedAt?: readonly string[];
}

export function listContracts(options: ContractOptions, { print }: Surroundings): void {
  const presets = presetNames().map((name) => ({ name, about: aboutOf(name) }));
  if (options.json) return print(`${JSON.stringify({ presets }, null, 2)}\n`);
  const lines = presets.map(({ name, about }) =>
    printableLine([name.padEnd(28), about.product, about.endpoint, about.versions].filter(Boolean).join('  ')),
  );
  print(`${[`${presets.length} presets`, ...lines].join('\n')}\n`);
}

/** A preset of this library is read as it is: what is wrong with it, its own tests say. */
function aboutOf(name: string): About {
  const contract = parse(presetText(name) ?? '') as { about?: About } | null;
  return contract?.about ?? {};
}

export function showContract(name: string, options: ContractOptions, { print }: Surroundings): void {
  const text = presetText(name);
  if (text === null) throw new CliError(`there is no preset ${name}: "lacuna contract list" names them`);
  print(options.json ? `${JSON.stringify(parse(text), null, 2)}\n` : printable(text));
}
