/** A whole topic as Debian's kcat reads it: an independent client, which knows nothing of our code. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface DumpedMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

const OUTPUT_BYTES_MAX = 536_870_912;

export async function dumpTopic(brokers: string, topic: string): Promise<DumpedMessage[]> {
  const { stdout } = await promisify(execFile)('kcat', ['-b', brokers, '-C', '-t', topic, '-o', 'beginning', '-e', '-q', '-J'], {
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { headers, ...message } = JSON.parse(line) as Omit<DumpedMessage, 'headers'> & { headers?: string[] };
      const pairs = headers ?? [];
      const named = Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, pairs[at + 1] ?? '']] : [])));
      return { ...message, headers: named };
    });
}

export const ofType = (messages: readonly DumpedMessage[], type: string): DumpedMessage[] =>
  messages.filter(({ headers }) => headers['ce_type'] === type);
