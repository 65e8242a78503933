import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { change } from '../record-change.ts';
import { systemActor } from '../system-actor.ts';

type ExpireDependencies = { database: Database; clock: Clock; days: number };

const entriesAtOnce = 5_000;
const dayMs = 86_400_000;

/**
 * Deletes the entries whose retention has ended, from the beginning of each log. Their leaves stay,
 * so the proofs of the other entries hold. Only entries that a checkpoint covers are deleted, and
 * each batch has an entry of its own. Several processes may do so at the same time, because the tree
 * says up to where entries are deleted. Returns how many entries were deleted.
 */
export async function expireEntries(
  { database, clock, days }: ExpireDependencies,
  stopping?: AbortSignal,
): Promise<number> {
  const before = new Date(clock().getTime() - days * dayMs);
  // The logs of all organizations.
  const trees = await database.unscoped.sql<{ organizationId: string }>`
    select t.organization_id as "organizationId" from audit_trees t join audit_leaves l
      on l.organization_id = t.organization_id and l.position = t.expired
    where l.at < ${before} and t.expired < t.checkpoint_size`;
  let total = 0;
  for (const { organizationId } of trees) {
    let deleted: number;
    do {
      if (stopping?.aborted) return total;
      deleted = await expireBatch(organizationId, before, { database, clock });
      total += deleted;
    } while (deleted > 0);
  }
  return total;
}

function expireBatch(
  organizationId: string,
  before: Date,
  { database, clock }: Pick<ExpireDependencies, 'database' | 'clock'>,
): Promise<number> {
  const writer = {
    ...{ database: database.unscoped, clock, actor: systemActor(organizationId) },
    credentialsChanged: () => undefined,
  };
  return change(writer, async (tx, record) => {
    const [range] = await tx.sql<{ first: number; end: number }>`
      select t.expired::float8 as first, least(t.checkpoint_size, t.expired + ${entriesAtOnce}::int,
        (select min(l.position) from audit_leaves l
          where l.organization_id = t.organization_id and l.at >= ${before}
            and l.position >= t.expired and l.position < t.expired + ${entriesAtOnce}::int))::float8 as end
      from audit_trees t where t.organization_id = ${organizationId} for update`;
    if (!range || range.end <= range.first) return 0;
    const { first, end } = range;
    tx.enqueue`
      update audit_trees set expired = ${end}::bigint where organization_id = ${organizationId}`;
    const [result] = await tx.sql<{ deleted: number }>`
      select expire_audit_entries(${organizationId}, ${first}::bigint, ${end}::bigint) as deleted`;
    record({
      action: 'expire-audit-entries',
      targetType: 'Organization',
      targetId: organizationId,
      changes: { firstPosition: first, endPosition: end },
    });
    return result?.deleted ?? 0;
  });
}
