import type { Checkpoint } from '../sealing/checkpoint.ts';
import {
  addSubtree,
  type HashedSubtree,
  rootOf,
  type Subtree,
  subtreesOf,
} from '../sealing/merkle-tree.ts';
import { createLineOrder } from './line-order.ts';
import { type EndLine, parseEndLine, parseEntryLine } from './parse-line.ts';
import { readLines } from './read-lines.ts';
import { faultOfCheckpoint, type PublicKeys } from './verify-checkpoint.ts';

export type ExportFault = {
  /** The line of the file; null if the fault is not of one line. */
  line: number | null;
  message: string;
};

export type VerifiedExport = {
  /** How many lines with entries the file has. */
  entries: number;
  /** The position of the first entry; null without entries. */
  first: number | null;
  checkpoint: Checkpoint | null;
  /** Older checkpoints that the entries were compared with. */
  comparedCheckpoints: number;
  faults: ExportFault[];
  /** How many faults there are, also those that are left out of `faults`. */
  faultCount: number;
};

type VerifyInput = {
  chunks: AsyncIterable<Buffer>;
  keys: PublicKeys;
  /** Checkpoints that were stored before. */
  checkpoints?: readonly Checkpoint[];
};

const faultsMax = 100;

/**
 * Checks an export as NDJSON: each line has its hash, no line is missing or was added, and the hashes
 * give the root that was signed. The file is read once, and memory holds a part of it.
 */
export async function verifyExport({
  chunks,
  keys,
  checkpoints = [],
}: VerifyInput): Promise<VerifiedExport> {
  const faults: ExportFault[] = [];
  let faultCount = 0;
  const report = (line: number | null, message: string) => {
    faultCount += 1;
    if (faults.length < faultsMax) faults.push({ line, message });
  };
  const tree = createTreeCheck(checkpoints);
  const order = createLineOrder({ report, add: tree.add });
  let number = 0;
  let last: string | undefined;
  for await (const lines of readLines(chunks))
    for (const line of lines) {
      if (last !== undefined) order.next(parseEntryLine(last, number));
      number += 1;
      last = line;
    }
  const end = last === undefined ? null : parseEndLine(last);
  // A damaged end is not taken for an entry.
  if (last !== undefined && !end && last.includes('"position":'))
    order.next(parseEntryLine(last, number));
  order.close();
  const entries = order.count();
  if (end) checkEnd(end);
  else report(number || null, 'The last line is not the end of an export with its checkpoint');
  return {
    entries,
    first: tree.first(),
    checkpoint: end?.checkpoint ?? null,
    comparedCheckpoints: tree.compared(),
    faults,
    faultCount,
  };

  function checkEnd({ first, entries: stated, before, after, checkpoint }: EndLine): void {
    const fault = faultOfCheckpoint(checkpoint, keys);
    if (fault) report(number, `The checkpoint is not valid. ${fault}`);
    if (stated !== order.expected(first) - first || (tree.first() ?? first) !== first)
      report(
        number,
        `The file has the entries ${tree.first() ?? first} to ${order.expected(first) - 1}, but its end names ${first} to ${first + stated - 1}`,
      );
    for (const one of checkpoints) {
      const oneFault = faultOfCheckpoint(one, keys);
      if (oneFault)
        report(null, `The stored checkpoint of size ${one.size} is not valid. ${oneFault}`);
      else if (one.organizationId !== checkpoint.organizationId)
        report(null, `The stored checkpoint of size ${one.size} is of another organization`);
    }
    if (!tree.isWhole()) return;
    const result = tree.finish({ first, before, after, checkpoint });
    for (const message of result) report(null, message);
  }
}

/** Computes the roots of the tree from the hashes of the lines. */
function createTreeCheck(checkpoints: readonly Checkpoint[]) {
  const sizes = new Set(checkpoints.map(({ size }) => size));
  const stack: HashedSubtree[] = [];
  /** The subtrees at the sizes of stored checkpoints. */
  const stacks = new Map<number, HashedSubtree[]>();
  let first: number | undefined;
  let isWhole = true;
  let compared = 0;

  /** The subtrees before the first entry are known at the end only, so they are added there. */
  function withBefore(before: readonly HashedSubtree[], part: readonly HashedSubtree[]) {
    const joined: HashedSubtree[] = [...before];
    for (const subtree of part) addSubtree(joined, subtree);
    return joined;
  }

  return {
    add(position: number, hash: string | null): void {
      first ??= position;
      if (hash === null) isWhole = false;
      if (!isWhole || hash === null) return;
      addSubtree(stack, { level: 0, index: position, hash: Buffer.from(hash, 'hex') });
      if (sizes.has(position + 1)) stacks.set(position + 1, [...stack]);
    },
    first: () => first ?? null,
    isWhole: () => isWhole,
    compared: () => compared,
    /** Returns what is wrong. */
    finish({ first: start, before, after, checkpoint }: Omit<EndLine, 'entries'>): string[] {
      const top = stack.at(-1);
      const end = top ? (top.index + 1) * 2 ** top.level : start;
      const left = hashed(subtreesOf(0, start), before);
      const right = hashed(subtreesOf(end, checkpoint.size), after);
      if (!left || !right || end > checkpoint.size)
        return ['The end of the export does not fit to its entries'];
      const whole = withBefore(left, [...stack, ...right]);
      if (rootOf(whole).toString('hex') !== checkpoint.root) {
        const held = checkpoints.findLast(({ size, root }) => matches(left, size, root));
        return [
          `The entries do not give the root of the checkpoint${held ? `; those before position ${held.size} are as sealed` : ''}`,
        ];
      }
      return checkpoints.flatMap(({ size, root }) => {
        if (!stacks.has(size)) return [];
        compared += 1;
        return matches(left, size, root)
          ? []
          : [`The entries before position ${size} do not give the root of the stored checkpoint`];
      });
    },
  };

  function matches(left: readonly HashedSubtree[], size: number, root: string): boolean {
    const part = stacks.get(size);
    return part !== undefined && rootOf(withBefore(left, part)).toString('hex') === root;
  }
}

const hashed = (subtrees: Subtree[], hashes: readonly string[]): HashedSubtree[] | null =>
  subtrees.length === hashes.length
    ? subtrees.map((subtree, at) => ({ ...subtree, hash: Buffer.from(hashes[at] ?? '', 'hex') }))
    : null;
