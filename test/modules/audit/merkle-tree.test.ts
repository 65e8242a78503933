import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/modules/audit/sealing/canonical-json.ts';
import {
  addSubtree,
  type HashedSubtree,
  leafHashOf,
  rootOf,
  rootOfPath,
  siblingsOf,
  subtreesOf,
} from '../../../src/modules/audit/sealing/merkle-tree.ts';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The definition of RFC 9162, 2.1.1, word by word. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (!only) return sha256();
  if (leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

/** The definition of RFC 9162, 2.1.3.1. */
function inclusionPath(leaf: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return [];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return leaf < split
    ? [...inclusionPath(leaf, leaves.slice(0, split)), treeHash(leaves.slice(split))]
    : [...inclusionPath(leaf - split, leaves.slice(split)), treeHash(leaves.slice(0, split))];
}

const leavesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => leafHashOf(`leaf ${index}`));
function frontierOf(leaves: readonly Buffer[]) {
  const stack: HashedSubtree[] = [];
  for (const [index, hash] of leaves.entries()) addSubtree(stack, { level: 0, index, hash });
  return stack;
}

it('The tree has the roots of the test vectors of Certificate Transparency', () => {
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
  inputs.push('606162636465666768696a6b6c6d6e6f');
  const leaves = inputs.map((hex) => leafHashOf(Buffer.from(hex, 'hex').toString()));
  const rootAt = (size: number) => rootOf(frontierOf(leaves.slice(0, size))).toString('hex');
  expect(rootAt(0)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(rootAt(1)).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  expect(rootAt(2)).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
  expect(rootAt(8)).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
});

it('Root and inclusion paths of each tree are those of the definition', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), (size, number) => {
      const leaves = leavesOf(size);
      const leaf = number % size;
      expect(rootOf(frontierOf(leaves))).toEqual(treeHash(leaves));
      const path = siblingsOf(leaf, size).map(({ start, end }) =>
        treeHash(leaves.slice(start, end)),
      );
      expect(path).toEqual(inclusionPath(leaf, leaves));
      const hash = leaves[leaf] ?? Buffer.alloc(0);
      expect(rootOfPath(hash, { leafIndex: leaf, treeSize: size, path })).toEqual(treeHash(leaves));
    }),
    { numRuns: 200 },
  );
});

it('The complete subtrees of a range cover it from left to right', () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(5_000), (a, b) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)];
      let at = start;
      for (const { level, index } of subtreesOf(start, end)) {
        expect(index * 2 ** level).toBe(at);
        at += 2 ** level;
      }
      expect(at).toBe(end);
    }),
  );
});

it('An inclusion path proves no other place, no other size and no other leaf', () => {
  const leaves = leavesOf(21);
  const path = inclusionPath(5, leaves);
  const root = treeHash(leaves);
  const leaf = leaves[5] ?? Buffer.alloc(0);
  expect(rootOfPath(leaf, { leafIndex: 5, treeSize: 21, path })).toEqual(root);
  expect(rootOfPath(leaf, { leafIndex: 4, treeSize: 21, path })).not.toEqual(root);
  expect(rootOfPath(leafHashOf('x'), { leafIndex: 5, treeSize: 21, path })).not.toEqual(root);
  expect(rootOfPath(leaf, { leafIndex: 21, treeSize: 21, path })).toBe(null);
  expect(rootOfPath(leaf, { leafIndex: 5, treeSize: 21, path: path.slice(1) })).toBe(null);
});

it('Canonical JSON is the same for every order of members, as RFC 8785 says', () => {
  expect(canonicalJson({ b: [1.0, 1e21, null, true], a: { '10': 'ö\n', '9': {} } })).toBe(
    '{"a":{"10":"ö\\n","9":{}},"b":[1,1e+21,null,true]}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
