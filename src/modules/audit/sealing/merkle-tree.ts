import { hash } from 'node:crypto';

/**
 * The Merkle tree of RFC 9162 (2.1) over leaves that are only added. A complete subtree of level
 * `k` has 2^k leaves and begins at a multiple of 2^k.
 */
export type Subtree = { level: number; index: number };
export type HashedSubtree = Subtree & { hash: Buffer };

export const hashHex = /^[0-9a-f]{64}$/;

/** The prefix tells leaves from inner nodes, so that no leaf passes as a node. */
export const leafHashOf = (text: string): Buffer => hash('sha256', `\u0000${text}`, 'buffer');

const nodePrefix = Buffer.of(1);

export const nodeHashOf = (left: Buffer, right: Buffer): Buffer =>
  hash('sha256', Buffer.concat([nodePrefix, left, right]), 'buffer');

/** The complete subtrees, from left to right, that have the leaves from `start` to before `end`. */
export function subtreesOf(start: number, end: number): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = start; at < end; ) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/**
 * Adds a subtree to the right of `stack`, which has subtrees from left to right, and joins equal
 * ones. Returns the subtrees that this completed.
 */
export function addSubtree(stack: HashedSubtree[], subtree: HashedSubtree): HashedSubtree[] {
  const completed: HashedSubtree[] = [];
  let right = subtree;
  for (let left = stack.at(-1); left && canJoin(left, right); left = stack.at(-1)) {
    stack.pop();
    right = {
      level: right.level + 1,
      index: left.index / 2,
      hash: nodeHashOf(left.hash, right.hash),
    };
    completed.push(right);
  }
  stack.push(right);
  return completed;
}

const canJoin = (left: Subtree, right: Subtree): boolean =>
  left.level === right.level && left.index % 2 === 0 && left.index + 1 === right.index;

/** The root of subtrees from left to right, of which each is smaller than the one before it. */
export function rootOf(subtrees: readonly { hash: Buffer }[]): Buffer {
  if (subtrees.length === 0) return hash('sha256', '', 'buffer');
  return subtrees.map((one) => one.hash).reduceRight((right, left) => nodeHashOf(left, right));
}

/** The siblings of a leaf on the way to the root, lowest first: the leaves that each one has. */
export function siblingsOf(leaf: number, size: number): { start: number; end: number }[] {
  const siblings: { start: number; end: number }[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    if (leaf < middle) {
      siblings.push({ start: middle, end });
      end = middle;
    } else {
      siblings.push({ start, end: middle });
      start = middle;
    }
  }
  return siblings.reverse();
}

function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The root that an inclusion path gives for a leaf; null if the path has another length. */
export function rootOfPath(
  leafHash: Buffer,
  { leafIndex, treeSize, path }: { leafIndex: number; treeSize: number; path: readonly Buffer[] },
): Buffer | null {
  if (leafIndex >= treeSize) return null;
  const siblings = siblingsOf(leafIndex, treeSize);
  if (siblings.length !== path.length) return null;
  return path.reduce(
    (root, sibling, at) =>
      (siblings[at]?.start ?? 0) > leafIndex
        ? nodeHashOf(root, sibling)
        : nodeHashOf(sibling, root),
    leafHash,
  );
}
