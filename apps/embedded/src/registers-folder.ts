/** The folder of register files that a composition runs with, and what its registers need from the environment. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRegisterFile, type SecretReference, secretReferences, secretsOf, targetReferences } from '@lacuna/connectors';

type Environment = Readonly<Record<string, string | undefined>>;

/** The example registers of this repository. */
export const registersFolder = fileURLToPath(new URL('../../../registers', import.meta.url));

/** `--registers`, else LACUNA_REGISTERS, else the examples. */
export const chosenRegisters = (option: string | undefined, env: Environment): string =>
  resolve(option || env.LACUNA_REGISTERS || registersFolder);

/** @throws an error of one line, before anything is started. */
export function assertIsFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is no folder of register files: name one with --registers or LACUNA_REGISTERS`);
}

export interface FoundRegister {
  /** As a person would name it from here. */
  readonly file: string;
  readonly name: string;
  readonly references: readonly SecretReference[];
}

/** The registers of the folder that can be read; what is wrong with the others is gateway's to say. */
export function registersIn(folder: string): readonly FoundRegister[] {
  const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  return files.sort().flatMap((name) => {
    const parsed = parseRegisterFile(readFileSync(join(folder, name), 'utf8'), name);
    if (!parsed.ok) return [];
    return [
      {
        file: shown(join(folder, name)),
        name: parsed.register.name,
        references: [
          ...parsed.register.sources.flatMap(({ connect }) => secretReferences(connect)),
          ...targetReferences(parsed.register.target),
        ],
      },
    ];
  });
}

/** One line for each reference that leads to nothing: such a source starts cleanly, and then looks like an outage. */
export function missingReferenceLines(registers: readonly FoundRegister[], env: Environment): string[] {
  const secrets = secretsOf(env);
  const lines = registers.flatMap(({ file, references }) =>
    references.filter((reference) => secrets(reference) === null).map((reference) => `${file}: ${problemOf(reference, env)}`),
  );
  return [...new Set(lines)].map((line) => `warning: ${line}: its source can only be unavailable`);
}

/** The variables of the user's environment that are for sources: LACUNA_SOURCE_*, and whatever else the registers name. */
export function sourceVariablesOf(registers: readonly FoundRegister[], env: Environment): Record<string, string> {
  const named = registers.flatMap(({ references }) =>
    references.flatMap((reference) => ('env' in reference ? [reference.env, `${reference.env}_FILE`] : [])),
  );
  const isForSources = (name: string) => name.startsWith('LACUNA_SOURCE_') || named.includes(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (isForSources(name) && value !== undefined ? [[name, value] as const] : [])),
  );
}

/** Hosts that may be called although they are private: those that the composition needs, and those that the user allows. */
export const egressAllow = (needed: readonly string[], env: Environment): string =>
  [...needed, env.LACUNA_EGRESS_ALLOW].filter(Boolean).join(',');

function problemOf(reference: SecretReference, env: Environment): string {
  if ('file' in reference) return `${reference.file} cannot be read, or is empty`;
  const file = env[`${reference.env}_FILE`];
  return file ? `${reference.env}_FILE names ${file}, which cannot be read, or is empty` : `${reference.env} is not set`;
}

function shown(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return fromHere.startsWith('..') ? file : fromHere;
}
