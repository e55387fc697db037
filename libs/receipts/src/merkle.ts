import { createHash } from 'node:crypto';
import { InputRefusedError } from './input-refused-error.js';

/**
 * The Merkle tree of RFC 9162, section 2.1, with SHA-256. A tree is given as the list of its leaf hashes (32 bytes each), in the order of
 * `leafIndex`. Heads and path elements are 32 bytes. Sizes and indexes are safe integers.
 */

const hashBytes = 32;

/** RFC 9162, section 2.1.1: SHA-256(0x00 || leaf). The leaf is the envelope's exact bytes. */
export function leafHash(leaf: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(leaf).digest();
}

/** RFC 9162, section 2.1.1: SHA-256(0x01 || left || right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

/**
 * The tree's head; of no leaves, SHA-256 of the empty string. Linear in the count of leaves.
 *
 * @throws InputRefusedError `hash-malformed` when an element is not 32 bytes long (a leaf in place of its hash)
 */
export function treeHead(leafHashes: readonly Uint8Array[]): Buffer {
  return headOf(leafHashes, 0, leafHashes.length);
}

/**
 * RFC 9162, section 2.1.3.1: the path from one leaf to the head of the tree, nearest sibling first.
 *
 * @throws InputRefusedError `index-out-of-range`, `hash-malformed`
 */
export function proveInclusion(leafHashes: readonly Uint8Array[], leafIndex: number): Buffer[] {
  assertRange(leafIndex, 0, leafHashes.length - 1, 'leafIndex');
  const path: Buffer[] = [];
  let start = 0;
  let end = leafHashes.length;
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (leafIndex < middle) {
      path.push(headOf(leafHashes, middle, end));
      end = middle;
    } else {
      path.push(headOf(leafHashes, start, middle));
      start = middle;
    }
  }
  return path.reverse();
}

/**
 * RFC 9162, section 2.1.4.1: the proof that the first `firstSize` leaves of this tree are the tree of that size. Empty for equal sizes.
 *
 * @throws InputRefusedError `index-out-of-range` (also for 0: an empty tree precedes every tree, which proves nothing), `hash-malformed`
 */
export function proveConsistency(leafHashes: readonly Uint8Array[], firstSize: number): Buffer[] {
  assertRange(firstSize, 1, leafHashes.length, 'firstSize');
  const path: Buffer[] = [];
  let start = 0;
  let end = leafHashes.length;
  while (firstSize !== end) {
    const middle = start + splitOf(end - start);
    if (firstSize <= middle) {
      path.push(headOf(leafHashes, middle, end));
      end = middle;
    } else {
      path.push(headOf(leafHashes, start, middle));
      start = middle;
    }
  }
  if (start > 0) path.push(headOf(leafHashes, start, end));
  return path.reverse();
}

/** RFC 9162, section 2.1.2: complete subtrees on a stack, joined as a binary counter carries. */
function headOf(leafHashes: readonly Uint8Array[], start: number, end: number): Buffer {
  const stack: Buffer[] = [];
  for (let index = start; index < end; index += 1) {
    stack.push(hashAt(leafHashes, index));
    for (let count = index - start; isOdd(count); count = half(count)) joinTop(stack);
  }
  while (stack.length > 1) joinTop(stack);
  return stack[0] ?? createHash('sha256').digest();
}

function joinTop(stack: Buffer[]): void {
  const [left, right] = stack.splice(-2) as [Buffer, Buffer];
  stack.push(nodeHash(left, right));
}

function hashAt(leafHashes: readonly Uint8Array[], index: number): Buffer {
  const hash = leafHashes[index];
  if (hash?.byteLength !== hashBytes) throw new InputRefusedError('hash-malformed', `element ${index} is not a hash of ${hashBytes} bytes`);
  return Buffer.from(hash);
}

/** The largest power of two smaller than `count`. Not by shifts: those are 32 bits wide. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

function assertRange(value: number, min: number, max: number, name: string): void {
  const inRange = Number.isSafeInteger(value) && value >= min && value <= max;
  if (!inRange) throw new InputRefusedError('index-out-of-range', `${name} is not within ${min} and ${max}`);
}

const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);
