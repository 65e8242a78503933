import type { Database } from '../../../platform/database/database.ts';
import { addSubtree, type HashedSubtree, type Subtree, subtreesOf } from './merkle-tree.ts';
import { storedLevel } from './seal-entries.ts';

type LeafRange = { start: number; end: number };
type NodeRow = { level: number; index: number; hash: string };

/**
 * Reads the hashes of the complete subtrees of ranges of leaves, from left to right. Large subtrees
 * are stored; small ones are computed from their leaves, of which a range has fewer than 512 at its
 * two ends.
 */
export async function readSubtrees(
  { organizationId, ranges }: { organizationId: string; ranges: readonly LeafRange[] },
  { database }: { database: Database },
): Promise<HashedSubtree[][]> {
  const subtrees = ranges.map(({ start, end }) => subtreesOf(start, end));
  const stored = subtrees.flat().filter(({ level }) => level >= storedLevel);
  const small = subtrees.flat().filter(({ level }) => level < storedLevel);
  // The positions one by one: of ranges, Postgres reads all leaves of the organization.
  const positions = small.flatMap((subtree) =>
    Array.from({ length: 2 ** subtree.level }, (_, offset) => startOf(subtree) + offset),
  );
  const rows = await database.sql<NodeRow>`
    select n.level, n.index::float8 as index, encode(n.hash, 'hex') as hash
    from unnest(${stored.map(({ level }) => level)}::int[], ${stored.map(({ index }) => index)}::bigint[]) as wanted (level, index)
      join audit_nodes n on n.organization_id = ${organizationId} and n.level = wanted.level and n.index = wanted.index
    union all
    select 0, l.position::float8, encode(l.hash, 'hex')
    from audit_leaves l where l.organization_id = ${organizationId} and l.position = any(${positions}::bigint[])`;
  const hashes = new Map(
    rows.map(({ level, index, hash }) => [keyOf({ level, index }), Buffer.from(hash, 'hex')]),
  );
  return subtrees.map((list) => list.map((subtree) => hashSubtree(subtree, hashes)));
}

function hashSubtree(subtree: Subtree, hashes: ReadonlyMap<string, Buffer>): HashedSubtree {
  if (subtree.level >= storedLevel) return { ...subtree, hash: hashAt(subtree, hashes) };
  const stack: HashedSubtree[] = [];
  for (let index = startOf(subtree); index < endOf(subtree); index += 1)
    addSubtree(stack, { level: 0, index, hash: hashAt({ level: 0, index }, hashes) });
  const [whole] = stack;
  if (!whole) throw new Error('A subtree has at least one leaf');
  return whole;
}

function hashAt(subtree: Subtree, hashes: ReadonlyMap<string, Buffer>): Buffer {
  const found = hashes.get(keyOf(subtree));
  if (!found) throw new Error(`The tree of the audit log has no node ${keyOf(subtree)}`);
  return found;
}

const keyOf = ({ level, index }: Subtree): string => `${level}/${index}`;
const startOf = ({ level, index }: Subtree): number => index * 2 ** level;
const endOf = ({ level, index }: Subtree): number => (index + 1) * 2 ** level;
