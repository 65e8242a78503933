import type { Database } from '../../../platform/database/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type Checkpoint, checkpointColumns } from './checkpoint.ts';
import { rootOf, siblingsOf } from './merkle-tree.ts';
import { readSubtrees } from './read-subtrees.ts';

/** That an entry is in the log: the hashes with which its hash gives the root of the checkpoint. */
export type EntryProof = {
  leafIndex: number;
  leafHash: string;
  treeSize: number;
  /** The hashes of the siblings, from the leaf to the root. */
  path: string[];
  checkpoint: Checkpoint;
};

type ProofRow = Omit<Checkpoint, 'size'> & {
  size: number | null;
  position: number | null;
  leafHash: string;
};

/** The proof that an entry is in the log, by the newest checkpoint. */
export async function readProof(
  { organizationId, entryId }: { organizationId: string; entryId: string },
  { database }: { database: Database },
): Promise<EntryProof> {
  const [row] = await database.sql<ProofRow>`
    select l.position::float8 as position, encode(l.hash, 'hex') as "leafHash", ${checkpointColumns}
    from (select ${entryId}::text as id, ${organizationId}::text as organization_id) asked
      left join audit_entries e on e.id = asked.id and e.organization_id = asked.organization_id
      left join audit_leaves l on l.entry_id = asked.id and l.organization_id = asked.organization_id
      left join lateral (
        select * from audit_checkpoints c where c.organization_id = asked.organization_id and c.size > l.position
        order by c.size desc limit 1) c on true
    where e.id is not null or l.position is not null`;
  if (!row) throw notFound('Audit entry');
  const { position: leafIndex, leafHash, size, ...others } = row;
  if (leafIndex === null || size === null)
    throw new AppError(
      'CONFLICT',
      'The entry is not sealed yet: entries are sealed within some seconds',
      'ENTRY_NOT_SEALED',
    );
  const checkpoint = { ...others, size };
  const siblings = await readSubtrees(
    { organizationId, ranges: siblingsOf(leafIndex, size) },
    { database },
  );
  const path = siblings.map((subtrees) => rootOf(subtrees).toString('hex'));
  return { leafIndex, leafHash, treeSize: size, path, checkpoint };
}
