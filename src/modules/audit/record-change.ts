import type { Context } from '../../graph/context.ts';
import { memberOf, supporterOf } from '../../graph/scopes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { Fragment, fragment } from '../../platform/database/sql.ts';
import { inOneStatement, inTransaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { type Client, clientOf } from './client.ts';

/** Who acts, and in which organization. */
export type Actor = {
  organizationId: string;
  kind: 'USER_KEY' | 'ORGANIZATION_KEY' | 'SESSION' | 'SYSTEM';
  keyId: string | null;
  userId: string | null;
  requestId: string | null;
  /** Absent where no request is behind the change. */
  client?: Client;
};

/** What a rule that writes is handed. */
export type Writer = {
  database: Database;
  clock: Clock;
  actor: Actor;
  credentialsChanged: () => void;
};

export type Change = {
  action: string;
  targetType: string;
  targetId: string;
  changes: Prisma.InputJsonObject;
};
export type Record = (...changes: Change[]) => Promise<void>;

/** One transaction for a change and for its line in the audit log, or for many and theirs. */
export function change<T>(
  { database, clock, actor }: Writer,
  run: (tx: Prisma.TransactionClient, record: Record, at: Date) => Promise<T>,
): Promise<T> {
  return inTransaction(database, (tx) => {
    const at = clock();
    return run(tx, (...entries) => recordChange(tx, actor, at, ...entries), at);
  });
}

type SomeChanges = {
  /** What goes before: tables that it looks at or changes besides, each with a comma behind it. */
  before?: Fragment;
  /** Changes rows, and returns what is to be known of them: the table `changed`. */
  statement: Fragment;
  rowsMax: number;
  /** What follows from it: tables made of `changed`, each with a comma before it. */
  after?: Fragment;
  /** For each row of `changed`; what is SQL makes it of the row. */
  entry: Omit<Change, 'targetId' | 'changes'> & {
    targetId: string | Fragment;
    changes: Prisma.InputJsonObject | Fragment;
  };
  /** What is answered, if not the rows of `changed`. */
  answer?: Fragment;
};

/**
 * One statement for changes and for their lines in the audit log. `resultOf` may refuse only where
 * nothing was changed.
 */
export function changeRows<Row extends object, Result>(
  { database, clock, actor }: Writer,
  changesAt: (at: Date) => SomeChanges,
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
  } = changesAt(at);
  const changes =
    entry.changes instanceof Fragment
      ? entry.changes
      : fragment`${JSON.stringify(entry.changes)}::jsonb`;
  const ids = Array.from({ length: rowsMax }, () => newId(at.getTime()));
  const told = fragment`
    with ${before} changed as (${statement}),
    told as (
      insert into audit_entries (id, organization_id, at, actor_kind, actor_key_id, actor_user_id, action, target_type, target_id, changes, request_id, network, device)
      select (${ids}::text[])[row_number() over ()], ${organizationId}, ${at}::timestamptz, ${kind}::actor_kind, ${keyId}, ${userId},
        ${entry.action}, ${entry.targetType}, ${entry.targetId}, ${changes}, ${requestId},
        ${client.network}, ${client.device} from changed)
    ${after} ${answer}`;
  return inOneStatement(database, told, resultOf);
}

/**
 * The same for a change of one row. `resource` is what is not found where there is nothing to
 * change.
 */
export function changeRow<Row extends object>(
  writer: Writer,
  resource: string,
  changeAt: (at: Date) => Omit<SomeChanges, 'rowsMax'>,
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

export async function recordChange(
  tx: Prisma.TransactionClient,
  actor: Actor,
  at: Date,
  ...entries: Change[]
): Promise<void> {
  const { organizationId, kind, keyId, userId, requestId, client = noClient } = actor;
  await tx.auditEntry.createMany({
    data: entries.map((entry) => ({
      ...{
        id: newId(at.getTime()),
        at,
        organizationId,
        actorKind: kind,
        actorKeyId: keyId,
        actorUserId: userId,
        requestId,
        ...client,
      },
      ...entry,
    })),
  });
}

const noClient: Client = { network: null, device: null };

/** For what platform support does to an organization: its own audit log tells it. */
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
    client: clientOf(clientInfo),
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
    client: clientOf(clientInfo),
  };
  return { database, clock, actor, credentialsChanged };
}
