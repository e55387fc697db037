import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { leafHash, nodeHash, proveConsistency, proveInclusion, treeHead } from './merkle.js';
import { verifyConsistency, verifyInclusion } from './merkle-verify.js';

/** The definitions of RFC 9162, sections 2.1.1, 2.1.3.1 and 2.1.4.1, word for word, on slices. */
const k = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1);
const mth = (d: Buffer[]): Buffer =>
  d.length === 1 ? (d[0] as Buffer) : nodeHash(mth(d.slice(0, k(d.length))), mth(d.slice(k(d.length))));
const path = (m: number, d: Buffer[]): Buffer[] => {
  if (d.length === 1) return [];
  const [left, right] = [d.slice(0, k(d.length)), d.slice(k(d.length))];
  return m < left.length ? [...path(m, left), mth(right)] : [...path(m - left.length, right), mth(left)];
};
const subproof = (m: number, d: Buffer[], whole: boolean): Buffer[] => {
  if (m === d.length) return whole ? [] : [mth(d)];
  const [left, right] = [d.slice(0, k(d.length)), d.slice(k(d.length))];
  return m <= left.length ? [...subproof(m, left, whole), mth(right)] : [...subproof(m - left.length, right, false), mth(left)];
};

const leaves = (count: number): Buffer[] => Array.from({ length: count }, (_, index) => leafHash(Buffer.from(`leaf ${index}`)));
const aTree = fc.integer({ min: 1, max: 130 }).map(leaves);
const aTreeAndIndex = aTree.chain((tree) => fc.tuple(fc.constant(tree), fc.nat(tree.length - 1)));

describe('tree heads', () => {
  // Fails if leaf and node prefixes are missing or swapped: a node could then be passed off as a leaf.
  it('are those of the known eight-leaf test tree, at every size', () => {
    const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const heads = [
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    const hashes = entries.map((entry) => leafHash(Buffer.from(entry, 'hex')));
    expect(heads.map((_, size) => treeHead(hashes.slice(0, size)).toString('hex'))).toEqual(heads);
  });

  // Fails if the stack joins subtrees otherwise than the recursive definition splits them.
  it('are those of the recursive definition', () => {
    fc.assert(fc.property(aTree, (tree) => treeHead(tree).equals(mth(tree))));
  });

  // Fails if leaves are taken for hashes.
  it('are refused for elements that are not 32 bytes', () => {
    expect(refusalOf(() => treeHead([Buffer.from('{}')]))).toBe('hash-malformed');
  });
});

describe('inclusion proofs', () => {
  // Fails if another verifier could not use our proofs.
  it('are those of the recursive definition, and hold', () => {
    fc.assert(
      fc.property(aTreeAndIndex, ([tree, leafIndex]) => {
        const proof = proveInclusion(tree, leafIndex);
        expect(proof).toEqual(path(leafIndex, tree));
        const claim = { leafHash: tree[leafIndex] as Buffer, leafIndex, treeSize: tree.length, treeHead: treeHead(tree), path: proof };
        expect(verifyInclusion(claim)).toBe(true);
      }),
    );
  });

  // Fails if the verifier lets an index, leaf, head or path through that is not the proven one.
  it('do not hold for another leaf, index, head or path', () => {
    fc.assert(
      fc.property(aTreeAndIndex, fc.nat(), ([tree, leafIndex], pick) => {
        const other = leafHash(Buffer.from('other'));
        const proof = proveInclusion(tree, leafIndex);
        const claim = { leafHash: tree[leafIndex] as Buffer, leafIndex, treeSize: tree.length, treeHead: treeHead(tree), path: proof };
        const changed = proof.map((hash, at) => (at === pick % proof.length ? other : hash));
        expect(verifyInclusion({ ...claim, leafHash: other })).toBe(false);
        expect(verifyInclusion({ ...claim, treeHead: other })).toBe(false);
        expect(verifyInclusion({ ...claim, path: [...proof, other] })).toBe(false);
        if (proof.length > 0) expect(verifyInclusion({ ...claim, path: changed })).toBe(false);
        if (proof.length > 0) expect(verifyInclusion({ ...claim, path: proof.slice(1) })).toBe(false);
        if (tree.length > 1)
          expect(verifyInclusion({ ...claim, leafIndex: (leafIndex + 1 + (pick % (tree.length - 1))) % tree.length })).toBe(false);
      }),
    );
  });

  // Fails if a path may go on above the head: a tree of one leaf could then be claimed to have the head of a larger one.
  it('do not hold for a path that is longer than the tree is high', () => {
    const [left, right] = leaves(2) as [Buffer, Buffer];
    const claim = { leafHash: right, leafIndex: 0, treeSize: 1, treeHead: nodeHash(left, right), path: [left] };
    expect(verifyInclusion(claim)).toBe(false);
  });

  // Fails if impossible numbers make the verifier throw, loop, or say yes.
  it.each([-1, 8, 0.5, NaN, 2 ** 53])('do not hold, and are refused, for leaf index %s of 8', (leafIndex) => {
    const tree = leaves(8);
    const claim = { leafHash: tree[0] as Buffer, leafIndex, treeSize: 8, treeHead: treeHead(tree), path: proveInclusion(tree, 0) };
    expect(verifyInclusion(claim)).toBe(false);
    expect(refusalOf(() => proveInclusion(tree, leafIndex))).toBe('index-out-of-range');
  });

  // Fails if indexes are shifted as 32-bit integers: index 2^32 would pass as index 0.
  it('tell indexes beyond 32 bits apart', () => {
    const [leaf, ...siblings] = leaves(41) as [Buffer, ...Buffer[]];
    const head = siblings.reduce((left, right) => nodeHash(left, right), leaf);
    const claim = { leafHash: leaf, leafIndex: 0, treeSize: 2 ** 40, treeHead: head, path: siblings };
    expect(verifyInclusion(claim)).toBe(true);
    expect(verifyInclusion({ ...claim, leafIndex: 2 ** 32 })).toBe(false);
  });
});

describe('consistency proofs', () => {
  const sizes = aTree.chain((tree) => fc.tuple(fc.constant(tree), fc.integer({ min: 1, max: tree.length })));

  // Fails if another verifier could not use our proofs.
  it('are those of the recursive definition, and hold', () => {
    fc.assert(
      fc.property(sizes, ([tree, firstSize]) => {
        const proof = proveConsistency(tree, firstSize);
        expect(proof).toEqual(subproof(firstSize, tree, true));
        const heads = { firstHead: treeHead(tree.slice(0, firstSize)), secondHead: treeHead(tree) };
        expect(verifyConsistency({ firstSize, secondSize: tree.length, ...heads, path: proof })).toBe(true);
      }),
    );
  });

  // Fails if a log that changed or dropped an old receipt can pass for the same log: the fork that checkpoints exist to find.
  it('do not hold when an old leaf was changed', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), ([tree, firstSize], pick) => {
        const other = leafHash(Buffer.from('other'));
        const forked = tree.map((hash, at) => (at === pick % firstSize ? other : hash));
        const heads = { firstHead: treeHead(tree.slice(0, firstSize)), secondHead: treeHead(forked) };
        expect(verifyConsistency({ firstSize, secondSize: tree.length, ...heads, path: proveConsistency(forked, firstSize) })).toBe(false);
      }),
    );
  });

  // Fails if the verifier lets sizes, heads or paths through that are not the proven ones.
  it('do not hold for other sizes, heads or paths', () => {
    const tree = leaves(13);
    const claim = {
      firstSize: 6,
      secondSize: 13,
      firstHead: treeHead(tree.slice(0, 6)),
      secondHead: treeHead(tree),
      path: proveConsistency(tree, 6),
    };
    const other = leafHash(Buffer.from('other'));
    const changes = [{ firstSize: 5 }, { firstSize: 0 }, { firstSize: 14 }, { firstSize: 13 }, { secondSize: 17 }, { secondSize: NaN }];
    const paths = [[], claim.path.slice(1), [...claim.path, other], [other, ...claim.path.slice(1)], Array<Buffer>(60).fill(other)];
    for (const change of [...changes, { firstHead: other }, { secondHead: other }, ...paths.map((path) => ({ path }))]) {
      expect(verifyConsistency({ ...claim, ...change })).toBe(false);
    }
  });

  // Fails if a path may go on above the heads: sizes could then be claimed that the heads do not have.
  it('do not hold for a path that is longer than the trees are high', () => {
    const [above, ...tree] = leaves(5) as [Buffer, ...Buffer[]];
    const [firstHead, secondHead] = [treeHead(tree.slice(0, 3)), treeHead(tree)];
    const claim = { firstSize: 3, secondSize: 4, firstHead, secondHead, path: proveConsistency(tree, 3) };
    const longer = { firstHead: nodeHash(above, firstHead), secondHead: nodeHash(above, secondHead), path: [...claim.path, above] };
    expect(verifyConsistency(claim)).toBe(true);
    expect(verifyConsistency({ ...claim, ...longer })).toBe(false);
  });

  // Fails if something can be proven about a tree of no leaves, which has no head of its own to compare with.
  it('do not hold for a first size of 0', () => {
    const [a, b] = leaves(2) as [Buffer, Buffer];
    expect(verifyConsistency({ firstSize: 0, secondSize: 2, firstHead: a, secondHead: nodeHash(a, b), path: [a, b] })).toBe(false);
  });

  // Fails if an equal size is taken as proof although the heads differ.
  it('of a tree with itself are empty and hold only for equal heads', () => {
    const tree = leaves(5);
    const claim = { firstSize: 5, secondSize: 5, firstHead: treeHead(tree), secondHead: treeHead(tree), path: proveConsistency(tree, 5) };
    expect(verifyConsistency(claim)).toBe(true);
    expect(verifyConsistency({ ...claim, secondHead: leafHash(Buffer.of()) })).toBe(false);
    expect(verifyConsistency({ ...claim, path: [leafHash(Buffer.of())] })).toBe(false);
  });

  // Fails if a proof from nothing is given out, which would hold for every log.
  it.each([0, 9, 1.5])('are refused for first size %s of 8', (firstSize) => {
    expect(refusalOf(() => proveConsistency(leaves(8), firstSize))).toBe('index-out-of-range');
  });
});
