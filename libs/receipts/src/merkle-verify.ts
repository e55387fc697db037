import { nodeHash } from './merkle.js';

/** Checks Merkle proofs without the tree. Hashes are 32 bytes, sizes and indexes safe integers; whatever else is given does not hold. */

const hashBytes = 32;
/** A tree of fewer than 2^53 leaves has inclusion paths of at most 53 hashes and consistency paths of at most 54. */
const pathLengthMax = 54;

export interface InclusionClaim {
  readonly leafHash: Uint8Array;
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly treeHead: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** RFC 9162, section 2.1.3.2. False for every claim that does not hold, also for impossible sizes. */
export function verifyInclusion(claim: InclusionClaim): boolean {
  const { leafIndex, treeSize, path } = claim;
  if (!isSize(treeSize) || !isSize(leafIndex) || leafIndex >= treeSize || !isHash(claim.leafHash) || !isPath(path)) return false;
  let [index, last] = [leafIndex, treeSize - 1];
  let head: Buffer = Buffer.from(claim.leafHash);
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(index) || index === last) {
      head = nodeHash(sibling, head);
      [index, last] = upToOdd(index, last);
    } else head = nodeHash(head, sibling);
    [index, last] = [half(index), half(last)];
  }
  return last === 0 && head.equals(claim.treeHead);
}

export interface ConsistencyClaim {
  readonly firstSize: number;
  readonly firstHead: Uint8Array;
  readonly secondSize: number;
  readonly secondHead: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** RFC 9162, section 2.1.4.2. False for every claim that does not hold, and for a first size of 0, about which nothing can be proven. */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { firstSize, secondSize, path } = claim;
  if (!isHash(claim.firstHead) || !isHash(claim.secondHead)) return false;
  if (!isSize(firstSize) || !isSize(secondSize) || firstSize === 0 || firstSize > secondSize || !isPath(path)) return false;
  if (firstSize === secondSize) return path.length === 0 && Buffer.from(claim.firstHead).equals(claim.secondHead);
  const [seed, ...rest] = isPowerOfTwo(firstSize) && path.length > 0 ? [claim.firstHead, ...path] : path;
  if (seed === undefined) return false;
  return reachesBothHeads(claim, seed, rest);
}

function reachesBothHeads(claim: ConsistencyClaim, seed: Uint8Array, rest: readonly Uint8Array[]): boolean {
  let [index, last] = [claim.firstSize - 1, claim.secondSize - 1];
  while (isOdd(index)) [index, last] = [half(index), half(last)];
  let first: Buffer = Buffer.from(seed);
  let second: Buffer = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(index) || index === last) {
      [first, second] = [nodeHash(sibling, first), nodeHash(sibling, second)];
      [index, last] = upToOdd(index, last);
    } else second = nodeHash(second, sibling);
    [index, last] = [half(index), half(last)];
  }
  return last === 0 && first.equals(claim.firstHead) && second.equals(claim.secondHead);
}

/** Steps over the levels at which the node on the right edge has no sibling. */
function upToOdd(index: number, last: number): [number, number] {
  while (index !== 0 && !isOdd(index)) [index, last] = [half(index), half(last)];
  return [index, last];
}

/** Not by shifts: those are 32 bits wide. */
const half = (value: number): number => Math.floor(value / 2);
const isOdd = (value: number): boolean => value % 2 === 1;
const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const isHash = (hash: Uint8Array): boolean => hash.byteLength === hashBytes;
const isPath = (path: readonly Uint8Array[]): boolean => path.length <= pathLengthMax && path.every(isHash);

function isPowerOfTwo(value: number): boolean {
  while (value > 1 && !isOdd(value)) value /= 2;
  return value === 1;
}
