import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { readHorizon } from '../../events/read-feed.ts';
import type { ReceiptKeys } from '../../runs/receipts/receipt-keys.ts';
import { type AuditEntry, auditEntryColumns } from '../audit-entry.ts';
import { signCheckpoint } from './checkpoint.ts';
import { addSubtree, type HashedSubtree, rootOf, subtreesOf } from './merkle-tree.ts';
import { hashEntry } from './sealed-entry.ts';

export type SealDependencies = {
  database: Database;
  clock: Clock;
  signingKeys: Pick<ReceiptKeys, 'signing'>;
};

type Tree = {
  size: number;
  frontier: string[];
  readTransaction: string;
  readPosition: string;
  checkpointSize: number;
  checkpointRoot: string | null;
};

/** An entry that was read, or only its place if it has a leaf already. */
type ReadRow = AuditEntry & { transaction: string; number: string; hasLeaf: boolean };

/** Subtrees of this level and above are stored; smaller ones are computed from at most 255 leaves. */
export const storedLevel = 8;

// Hashing a thousand entries blocks the event loop for about 10 ms, and an embedded database blocks
// it for about as long to read and store them.
const entriesAtOnce = 200;
const organizationsAtOnce = 100;

/**
 * The organizations whose log has entries that are not in the tree, or whose tree has no checkpoint
 * of its size. The log of several organizations is read, so there is no tenant scope.
 */
export async function organizationsToSeal({ unscoped }: Database): Promise<string[]> {
  const horizon = await readHorizon(unscoped);
  const rows = await unscoped.sql<{ id: string }>`
    select o.id from organizations o left join audit_trees t on t.organization_id = o.id
    where t.size > t.checkpoint_size or exists (
      select from audit_entries e where e.organization_id = o.id
        and (e.tx_id, e.position) > (coalesce(t.read_transaction, 0), coalesce(t.read_position, 0)) and e.tx_id < ${horizon}::bigint)
      or coalesce(t.read_transaction, 0) = 0 and exists (
        select from audit_entries e where e.organization_id = o.id and e.tx_id is null and e.position > coalesce(t.read_position, 0))
    order by random() limit ${organizationsAtOnce}::int`;
  return rows.map(({ id }) => id);
}

/**
 * Adds the next entries of an organization to its tree, and signs the root when all are added.
 * Any number of processes can do so at the same time, and each can end at any moment: the tree moves
 * in one statement, which changes nothing if another process has moved it. Returns whether there is
 * more to do.
 */
export async function sealEntries(
  organizationId: string,
  dependencies: SealDependencies,
): Promise<boolean> {
  const { unscoped } = dependencies.database;
  const horizon = await readHorizon(unscoped);
  const tree = await readTree(organizationId, unscoped);
  const rows = await readNext(organizationId, { tree, horizon }, unscoped);
  if (rows.length > 0) {
    await extendTree(organizationId, { tree, rows }, unscoped);
    return true;
  }
  if (tree.size > tree.checkpointSize) await addCheckpoint(organizationId, tree, dependencies);
  return false;
}

async function readTree(organizationId: string, { sql }: Pick<Database, 'sql'>): Promise<Tree> {
  const [tree] = await sql<Tree>`
    with added as (
      insert into audit_trees (organization_id) values (${organizationId}) on conflict do nothing returning *)
    select t.size::float8 as size, coalesce(t.frontier, '{}') as frontier, t.read_transaction::text as "readTransaction",
      t.read_position::text as "readPosition", t.checkpoint_size::float8 as "checkpointSize", t.checkpoint_root_hash as "checkpointRoot"
    from (select * from audit_trees where organization_id = ${organizationId} union all select * from added) t limit 1`;
  // Another process has added it since the statement began.
  return tree ?? readTree(organizationId, { sql });
}

/** The next entries in the order of the feed. Those of before the feed come first. */
async function readNext(
  organizationId: string,
  { tree, horizon }: { tree: Tree; horizon: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<ReadRow[]> {
  const { readTransaction, readPosition } = tree;
  const next = (condition: Fragment) => fragment`
    select e.* from audit_entries e where e.organization_id = ${organizationId} and ${condition}
    order by e.tx_id, e.position limit ${entriesAtOnce}::int`;
  const read = (condition: Fragment) => sql<ReadRow>`
    select coalesce(e.tx_id, 0)::text as transaction, e.position::text as number,
      exists (select from audit_leaves l where l.entry_id = e.id) as "hasLeaf", ${auditEntryColumns}
    from (${next(condition)}) e order by e.tx_id, e.position`;
  if (readTransaction === '0') {
    const rows = await read(fragment`e.tx_id is null and e.position > ${readPosition}::bigint`);
    if (rows.length > 0) return rows;
  }
  return read(
    fragment`(e.tx_id, e.position) > (${readTransaction}::bigint, ${readPosition}::bigint) and e.tx_id < ${horizon}::bigint`,
  );
}

async function extendTree(
  organizationId: string,
  { tree, rows }: { tree: Tree; rows: readonly ReadRow[] },
  { sql }: Pick<Database, 'sql'>,
): Promise<void> {
  const added = rows.filter(({ hasLeaf }) => !hasLeaf);
  const stack = frontierOf(tree);
  const nodes: HashedSubtree[] = [];
  const leaves = added.map(({ transaction: _, number: __, hasLeaf: ___, ...entry }, offset) => {
    const position = tree.size + offset;
    const hash = hashEntry(position, entry);
    const completed = addSubtree(stack, { level: 0, index: position, hash });
    nodes.push(...completed.filter(({ level }) => level >= storedLevel));
    return { position, entry, hash: hash.toString('hex') };
  });
  const { transaction = tree.readTransaction, number = tree.readPosition } = rows.at(-1) ?? {};
  await sql`
    with moved as (
      update audit_trees
      set size = ${tree.size + added.length}::bigint, frontier = ${stack.map(({ hash }) => hash.toString('hex'))}::text[],
        read_transaction = ${transaction}::bigint, read_position = ${number}::bigint
      where organization_id = ${organizationId} and size = ${tree.size}::bigint
        and read_transaction = ${tree.readTransaction}::bigint and read_position = ${tree.readPosition}::bigint
      returning organization_id),
    nodes as (
      insert into audit_nodes (organization_id, level, index, hash)
      select m.organization_id, n.level, n.index, decode(n.hash, 'hex')
      from moved m, unnest(${nodes.map(({ level }) => level)}::int[], ${nodes.map(({ index }) => index)}::bigint[],
        ${nodes.map(({ hash }) => hash.toString('hex'))}::text[]) as n (level, index, hash))
    insert into audit_leaves (organization_id, position, entry_id, at, hash)
    select m.organization_id, l.position, l.entry_id, l.at, decode(l.hash, 'hex')
    from moved m, unnest(${leaves.map(({ position }) => position)}::bigint[], ${leaves.map(({ entry }) => entry.id)}::text[],
      ${leaves.map(({ entry }) => entry.at)}::timestamptz[], ${leaves.map(({ hash }) => hash)}::text[]) as l (position, entry_id, at, hash)`;
}

const frontierOf = ({ size, frontier }: Tree): HashedSubtree[] =>
  subtreesOf(0, size).map((subtree, at) => ({
    ...subtree,
    hash: Buffer.from(frontier[at] ?? '', 'hex'),
  }));

async function addCheckpoint(
  organizationId: string,
  tree: Tree,
  { database: { unscoped }, clock, signingKeys }: SealDependencies,
): Promise<void> {
  const { size, checkpointSize, checkpointRoot: previousRoot } = tree;
  const root = rootOf(frontierOf(tree)).toString('hex');
  const at = clock().toISOString();
  const jws = signCheckpoint(
    { organizationId, size, root, at, previousRoot },
    await signingKeys.signing(),
  );
  await unscoped.sql`
    with moved as (
      update audit_trees set checkpoint_size = size, checkpoint_root_hash = ${root}
      where organization_id = ${organizationId} and size = ${size}::bigint and checkpoint_size = ${checkpointSize}::bigint
      returning organization_id)
    insert into audit_checkpoints (organization_id, size, root_hash, at, previous_root_hash, jws)
    select m.organization_id, ${size}::bigint, ${root}, ${at}::timestamptz, ${previousRoot}, ${jws} from moved m`;
}
