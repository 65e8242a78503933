import type { Context } from '../../access/context.ts';
import { memberOf, supporterOf } from '../../access/scopes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { Fragment, fragment } from '../../platform/database/sql.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { type AuditClient, auditClientOf } from './audit-client.ts';

/** The sender of a change and the organization. */
export type Actor = {
  organizationId: string;
  kind: 'USER_KEY' | 'ORGANIZATION_KEY' | 'SESSION' | 'SYSTEM';
  keyId: string | null;
  userId: string | null;
  requestId: string | null;
  /** Absent if no request caused the change. */
  client?: AuditClient;
};

/** The dependencies of a function that changes data and records the change. */
export type Writer = {
  database: Database;
  clock: Clock;
  actor: Actor;
  credentialsChanged: () => void;
};

export type AuditedChange = {
  action: string;
  targetType: string;
  targetId: string;
  changes: Prisma.InputJsonObject;
};
export type RecordChanges = (...changes: AuditedChange[]) => void;

/** Runs one or several changes and their audit entries in one transaction. */
export function change<T>(
  { database, clock, actor }: Writer,
  run: (tx: Transaction, record: RecordChanges, at: Date) => Promise<T>,
): Promise<T> {
  return inTransaction(database, (tx) => {
    const at = clock();
    return run(tx, (...entries) => recordChange(tx, actor, at, ...entries), at);
  });
}

type RowChanges = {
  /** Common table expressions that come before the statement, each with a trailing comma. */
  before?: Fragment;
  /** Changes rows and returns their columns as the table `changed`. */
  statement: Fragment;
  rowsMax: number;
  /** Common table expressions that use `changed`, each with a leading comma. */
  after?: Fragment;
  /** The audit entry of each row of `changed`. A fragment is evaluated for each row. */
  entry: Omit<AuditedChange, 'targetId' | 'changes'> & {
    targetId: string | Fragment;
    changes: Prisma.InputJsonObject | Fragment;
  };
  /** The final select; without it all rows of `changed` are returned. */
  answer?: Fragment;
  /**
   * True: if `resultOf` throws, nothing is changed. This takes a second round trip. Otherwise the
   * statement commits by itself, and `resultOf` may throw only if nothing was changed.
   */
  canRollBack?: boolean;
};

/** Runs changes and writes their audit entries in one statement. */
export function changeRows<Row extends object, Result>(
  { database, clock, actor }: Writer,
  changesAt: (at: Date) => RowChanges,
  resultOf: (rows: Row[]) => Result,
): Promise<Result> {
  const { organizationId, kind, keyId, userId, requestId, client = noClient } = actor;
  const at = clock();
  const {
    before = fragment``,
    statement,
    rowsMax,
    entry,
    after = fragment``,
    answer = fragment`select * from changed`,
    canRollBack = false,
  } = changesAt(at);
  const changes =
    entry.changes instanceof Fragment
      ? entry.changes
      : fragment`${JSON.stringify(entry.changes)}::jsonb`;
  const ids = Array.from({ length: rowsMax }, () => newId(at.getTime()));
  const auditedStatement = fragment`
    with ${before} changed as (${statement}),
    audited as (
      insert into audit_entries (id, organization_id, at, actor_kind, actor_key_id, actor_user_id, action, target_type, target_id, changes, request_id, network, device)
      select (${ids}::text[])[row_number() over ()], ${organizationId}, ${at}::timestamptz, ${kind}::actor_kind, ${keyId}, ${userId},
        ${entry.action}, ${entry.targetType}, ${entry.targetId}, ${changes}, ${requestId},
        ${client.network}, ${client.device} from changed)
    ${after} ${answer}`;
  return inTransaction(database, async (tx) => {
    const execute = canRollBack ? tx.sql : tx.commitWith;
    return resultOf(await execute<Row>`${auditedStatement}`);
  });
}

/** Like `changeRows`, for one row. Throws NOT_FOUND for `resource` if there is no row. */
export function changeRow<Row extends object>(
  writer: Writer,
  resource: string,
  changeAt: (at: Date) => Omit<RowChanges, 'rowsMax'>,
): Promise<Row> {
  return changeRows<Row, Row>(
    writer,
    (at) => ({ ...changeAt(at), rowsMax: 1 }),
    ([row]) => {
      if (!row) throw notFound(resource);
      return row;
    },
  );
}

export function recordChange(
  tx: Pick<Transaction, 'enqueue'>,
  actor: Actor,
  at: Date,
  ...entries: AuditedChange[]
): void {
  const { organizationId, kind, keyId, userId, requestId, client = noClient } = actor;
  for (const { action, targetType, targetId, changes } of entries)
    tx.enqueue`
      insert into audit_entries (id, organization_id, at, actor_kind, actor_key_id, actor_user_id, action, target_type, target_id, changes, request_id, network, device)
      values (${newId(at.getTime())}, ${organizationId}, ${at}, ${kind}, ${keyId}, ${userId}, ${action}, ${targetType}, ${targetId},
        ${JSON.stringify(changes)}, ${requestId}, ${client.network}, ${client.device})`;
}

const noClient: AuditClient = { network: null, device: null };

/**
 * For changes that platform support makes in an organization: they are recorded in the audit log of
 * that organization.
 */
export function supportWriterOf(
  { viewer, clientInfo, requestId, database, clock, credentialsChanged }: Context,
  organizationId: string,
): Writer {
  const actor: Actor = {
    organizationId,
    kind: 'SESSION',
    keyId: null,
    userId: supporterOf(viewer).userId,
    requestId,
    client: auditClientOf(clientInfo),
  };
  return { database, clock, actor, credentialsChanged };
}

export function writerOf({
  viewer,
  clientInfo,
  requestId,
  database,
  clock,
  credentialsChanged,
}: Context): Writer {
  const member = memberOf(viewer);
  const actor: Actor = {
    organizationId: member.organizationId,
    kind: member.kind,
    keyId: member.kind === 'SESSION' ? null : member.keyId,
    userId: member.kind === 'ORGANIZATION_KEY' ? null : member.userId,
    requestId,
    client: auditClientOf(clientInfo),
  };
  return { database, clock, actor, credentialsChanged };
}
