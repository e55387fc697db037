/** Which register files are usable together: a pure function of their texts. */
import { parseRegisterFile, type RegisterDocument, type RegisterFileProblem, wholeFileProblem } from '@lacuna/connectors';
import { keyPolicy } from '@lacuna/evidence';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';

export interface RegisterFile {
  readonly file: string;
  readonly text: string;
}

export interface LoadedRegister {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the canonical JSON of `body`. */
  readonly hash: string;
  readonly body: RegisterDocument;
}

export interface CheckedRegisters {
  readonly registers: readonly LoadedRegister[];
  readonly problems: readonly RegisterFileProblem[];
}

export function checkRegisters(files: readonly RegisterFile[]): CheckedRegisters {
  const registers: LoadedRegister[] = [];
  const problems: RegisterFileProblem[] = [];
  for (const { file, text } of files) {
    const parsed = parseRegisterFile(text, file);
    if (!parsed.ok) problems.push(...parsed.problems);
    else registers.push(loaded(file, parsed.register));
  }
  return { registers, problems: [...problems, ...namesTwice(registers), ...policiesApart(registers)] };
}

/** `file:line:column: reason`, one line. */
export function problemLine({ file, line, column, path, reason }: RegisterFileProblem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${reason}`.replaceAll(/\s*\n\s*/g, ' ');
}

function loaded(file: string, register: RegisterDocument): LoadedRegister {
  // Through JSON, so that members left undefined are absent from what is hashed, published and kept.
  const body = JSON.parse(JSON.stringify(register)) as RegisterDocument;
  return { file, name: body.name, version: body.version, hash: sha256Hex(canonicalJson(body)), body };
}

function namesTwice(registers: readonly LoadedRegister[]): RegisterFileProblem[] {
  return registers.flatMap(({ file, name }, index) => {
    const first = registers.findIndex((other) => other.name === name);
    return first === index ? [] : [wholeFileProblem(file, '/name', `register "${name}" is also in ${registers[first]?.file}`)];
  });
}

/** Key policy and normalisers belong to the write target: two policies would give one record two slots, and one of them would look free. */
function policiesApart(registers: readonly LoadedRegister[]): RegisterFileProblem[] {
  return registers.flatMap(({ file, body }) => {
    const { target } = body;
    const first = registers.find((other) => target !== null && other.body.target?.name === target.name);
    if (!target || !first || textOf(keyPolicy(first.body)) === textOf(keyPolicy(body))) return [];
    const reason = `target "${target.name}" has another key policy in ${first.file}: policy id, key names and normalisers must be the same`;
    return [wholeFileProblem(file, '/target', `${reason} (${textOf(keyPolicy(first.body))}, not ${textOf(keyPolicy(body))})`)];
  });
}

const textOf = (policy: ReturnType<typeof keyPolicy>): string => JSON.stringify(policy);
