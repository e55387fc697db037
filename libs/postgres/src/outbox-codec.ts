/** One outbox row's events as bytes and back, unchanged: a JSON table of contents, its length before it, raw keys and values behind it. */
import type { EncodedEvent } from '@lacuna/events';

type Entry = [topic: string, keyBytes: number, valueBytes: number, headers: Readonly<Record<string, string>>];

export function packEvents(events: readonly EncodedEvent[]): Buffer {
  const entries: Entry[] = events.map(({ topic, key, value, headers }) => [topic, key.length, value.length, headers]);
  const contents = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(contents.length);
  return Buffer.concat([length, contents, ...events.flatMap(({ key, value }) => [key, value])]);
}

export function unpackEvents(bytes: Buffer): EncodedEvent[] {
  const contentsEnd = 4 + bytes.readUInt32BE(0);
  const entries = JSON.parse(bytes.toString('utf8', 4, contentsEnd)) as Entry[];
  let at = contentsEnd;
  const take = (count: number) => bytes.subarray(at, (at += count));
  return entries.map(([topic, keyBytes, valueBytes, headers]) => ({ topic, key: take(keyBytes), value: take(valueBytes), headers }));
}
