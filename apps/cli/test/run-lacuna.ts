/** The program inside this process, with what it writes kept. */
import { runCli } from '../src/run-cli.js';

export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export async function runLacuna(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}): Promise<Ran> {
  const out: Buffer[] = [];
  const err: string[] = [];
  const exitCode = await runCli(args, {
    env,
    print: (text) => void out.push(Buffer.from(text)),
    printBytes: (bytes) => void out.push(Buffer.from(bytes)),
    say: (line) => void err.push(`${line}\n`),
    hasColour: false,
  });
  return { exitCode, out: Buffer.concat(out).toString('utf8'), err: err.join('') };
}
