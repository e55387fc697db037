/**
 * Which ids a pass has had. The first ones as they are; where there are more, 128 bits of SHA-256 each in one flat table, so that a million
 * ids take 32 MiB. Exact as far as SHA-256 is.
 */
import { hash } from 'node:crypto';

/** Kept as texts: quick, and a few megabytes. */
const TEXTS_MAX = 16_384;
const WORDS = 4;
const SLOTS_MIN = 1_024;
/** 16 million ids, 512 MiB; a walk's budget ends it far earlier. */
const SLOTS_MAX = 33_554_432;

export class IdSet {
  private texts: Set<string> | null = new Set();
  private table = new Uint32Array(SLOTS_MIN * WORDS);
  private size = 0;

  /** False: it was there already. */
  add(id: string): boolean {
    const { texts } = this;
    if (texts === null) return this.addDigest(id);
    if (texts.has(id)) return false;
    texts.add(id);
    if (texts.size > TEXTS_MAX) {
      this.texts = null;
      for (const each of texts) this.addDigest(each);
    }
    return true;
  }

  private addDigest(id: string): boolean {
    if ((this.size + 1) * 2 > this.table.length / WORDS) this.grow();
    const bytes = hash('sha256', id, 'buffer');
    // A digest of zeros would look like a free slot: its last bit is set, as every digest's is.
    const last = (bytes.readUInt32LE(12) | 1) >>> 0;
    const added = insert(this.table, bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8), last);
    if (added) this.size += 1;
    return added;
  }

  private grow(): void {
    const { table } = this;
    const slots = (table.length / WORDS) * 2;
    if (slots > SLOTS_MAX) throw new Error('more ids than a walk may read');
    const larger = new Uint32Array(slots * WORDS);
    for (let at = 0; at < table.length; at += WORDS) {
      const [one = 0, two = 0, three = 0, four = 0] = table.subarray(at, at + WORDS);
      if (four !== 0) insert(larger, one, two, three, four);
    }
    this.table = larger;
  }
}

/** Open addressing; at most half of the slots are taken, so a free one is found. The four words of a digest, the last one never 0. */
const insert = (table: Uint32Array, one: number, two: number, three: number, four: number): boolean => {
  const slots = table.length / WORDS;
  const start = one % slots;
  for (let step = 0; step < slots; step += 1) {
    const at = ((start + step) % slots) * WORDS;
    if (table[at + 3] === 0) {
      table[at] = one;
      table[at + 1] = two;
      table[at + 2] = three;
      table[at + 3] = four;
      return true;
    }
    if (table[at] === one && table[at + 1] === two && table[at + 2] === three && table[at + 3] === four) return false;
  }
  throw new Error('the table of ids is full');
};
