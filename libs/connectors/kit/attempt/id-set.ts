/**
 * Which ids a pass has had: 128 bits of SHA-256 each, in one flat table, so that a million ids take 32 MiB. Exact as far as SHA-256 is.
 */
import { createHash } from 'node:crypto';

const WORDS = 4;
const SLOTS_MIN = 1_024;
/** 16 million ids, 512 MiB; a walk's budget ends it far earlier. */
const SLOTS_MAX = 33_554_432;

export class IdSet {
  private table = new Uint32Array(SLOTS_MIN * WORDS);
  private size = 0;

  /** False: it was there already. */
  add(id: string): boolean {
    if ((this.size + 1) * 2 > this.table.length / WORDS) this.grow();
    const added = insert(this.table, digestOf(id));
    if (added) this.size += 1;
    return added;
  }

  private grow(): void {
    const slots = (this.table.length / WORDS) * 2;
    if (slots > SLOTS_MAX) throw new Error('more ids than a walk may read');
    const larger = new Uint32Array(slots * WORDS);
    for (let at = 0; at < this.table.length; at += WORDS) {
      const digest = this.table.subarray(at, at + WORDS);
      if (!isFree(digest)) insert(larger, digest);
    }
    this.table = larger;
  }
}

const digestOf = (id: string): Uint32Array => {
  const bytes = createHash('sha256').update(id).digest();
  // A digest of zeros would look like a free slot; its last bit is set, as every digest's is.
  return Uint32Array.of(bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8), (bytes.readUInt32LE(12) | 1) >>> 0);
};

const isFree = (slot: Uint32Array): boolean => slot[3] === 0;

/** Open addressing; at most half of the slots are taken, so a free one is found. */
const insert = (table: Uint32Array, digest: Uint32Array): boolean => {
  const slots = table.length / WORDS;
  const start = (digest[0] ?? 0) % slots;
  for (let step = 0; step < slots; step += 1) {
    const at = ((start + step) % slots) * WORDS;
    const slot = table.subarray(at, at + WORDS);
    if (isFree(slot)) {
      table.set(digest, at);
      return true;
    }
    if (slot.every((word, index) => word === digest[index])) return false;
  }
  throw new Error('the table of ids is full');
};
