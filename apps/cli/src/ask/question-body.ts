/** The request of one question, from the arguments. Pure. */
import { CliError, exitCodes } from '../cli-error.js';

export const IDENTIFIERS_MAX = 32;

export interface IdentifierArgument {
  readonly name: string;
  readonly value: string;
}

/** `name=value`; the value is all behind the first `=`. @throws CliError */
export function parseIdentifiers(texts: readonly string[]): IdentifierArgument[] {
  if (texts.length > IDENTIFIERS_MAX) throw usage(`${texts.length} identifiers, at most ${IDENTIFIERS_MAX}`);
  const identifiers = texts.map(parseIdentifier);
  const names = identifiers.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usage(`identifier ${twice} is given twice`);
  return identifiers;
}

function parseIdentifier(text: string): IdentifierArgument {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`"${text}" is no identifier: give name=value, such as account=ACC-000001`);
  const value = text.slice(at + 1);
  if (value === '') throw usage(`identifier ${text.slice(0, at)} has no value`);
  return { name: text.slice(0, at), value };
}

/** The record to create. @throws CliError */
export function parsePayload(text: string): Record<string, unknown> {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    throw usage(`--create is no JSON (${(error as Error).message}): give an object, or @file to read it from a file`);
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw usage('--create must be a JSON object');
  return payload as Record<string, unknown>;
}

export interface Asked {
  readonly register: string;
  /** Absent: the gateway's default. */
  readonly kind?: string;
  readonly identifiers: readonly IdentifierArgument[];
  readonly provenance?: string;
  readonly payload: Record<string, unknown> | null;
}

export function questionBody({ register, kind, identifiers, provenance, payload }: Asked): string {
  return JSON.stringify({
    register,
    ...(kind ? { kind } : {}),
    identifiers: identifiers.map((identifier) => ({ ...identifier, ...(provenance ? { provenance } : {}) })),
    ...(payload ? { intent: { kind: 'create', payload } } : {}),
  });
}

function usage(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}
