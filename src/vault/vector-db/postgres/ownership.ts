import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { requireUtf8 } from '../../../platform/database/encoding.ts';
import { timeLimit } from '../../../platform/database/time-limit.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { PostgresAddress } from './address.ts';
import { requireVectorExtension } from './extension.ts';
import { migrate } from './migrations.ts';

const connectTimeoutMs = 9_000;
const checkEveryMs = 5_000;
const checkTimeoutMs = 10_000;
const retryMs = 250;
const defaultWaitMs = 30_000;

type OwnershipOptions = {
  address: PostgresAddress;
  /** How long to wait for a process that holds the schema. */
  waitMs?: number | undefined;
  log: Log;
};

export type Ownership = Awaited<ReturnType<typeof acquireOwnership>>;

/**
 * Makes this process the only one that uses the schema, and brings the schema to the current
 * version. The lock belongs to the session of a connection of its own, so it ends with the process.
 * Each owner has a number of its own, the epoch, which every transaction checks: after the loss of
 * that connection another process may be the owner, and then no transaction of this one commits.
 */
export async function acquireOwnership({
  address: { connectionString, schema },
  waitMs = defaultWaitMs,
  log,
}: OwnershipOptions) {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    fallback_application_name: 'atrium-vector-db',
  });
  let loss: Error | undefined;
  let reportLoss = () => {};
  const lost = new Promise<void>((resolve) => {
    reportLoss = resolve;
  });
  const lose = (reason: Error) => {
    loss ??= reason;
    reportLoss();
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection has ended')));
  await client.connect();
  let timer: NodeJS.Timeout | undefined;
  const end = async () => {
    clearInterval(timer);
    await client.end().catch(() => undefined);
  };
  try {
    // A server notices the loss of this process's machine after 25 seconds instead of two hours.
    await client.query(
      `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
       set statement_timeout = 0`,
    );
    const key = lockKey(schema);
    await waitForLock(client, key, { schema, waitMs, log });
    await requireUtf8(client);
    const extensionSchema = await requireVectorExtension(client);
    await client.query(`set search_path to "${schema}", "${extensionSchema}"`);
    await migrate(client, schema);
    const { rows } = await client.query<{ epoch: string }>(
      'update state set epoch = epoch + 1, holder = $1 returning epoch',
      [`process ${process.pid} on ${hostname()}`],
    );
    const epoch = Number(rows[0]?.epoch);
    await warnOfSuperuser(client, log);

    let isChecking = false;
    const check = async () => {
      if (isChecking) return;
      isChecking = true;
      try {
        const isHeld = await timeLimit(
          holdsLock(client, key),
          checkTimeoutMs,
          'the connection does not answer',
        );
        if (!isHeld) throw new Error('the connection has lost its lock');
      } catch (error) {
        lose(error instanceof Error ? error : new Error(String(error)));
      } finally {
        isChecking = false;
      }
    };
    timer = setInterval(() => void check(), checkEveryMs).unref();
    return {
      epoch,
      extensionSchema,
      /** Resolves when this process has lost the schema. */
      lost,
      reason: (): Error | undefined => loss,
      lose,
      /** Throws if this process is known to have lost the schema. */
      require(): void {
        if (loss) throw new OwnershipLost();
      },
      release: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

export class OwnershipLost extends AppError {
  constructor() {
    super('UNAVAILABLE', 'The vector database has lost its connection and is restoring it');
  }
}

/** Two numbers, because Postgres has a separate space for locks with two. */
function lockKey(schema: string): [number, number] {
  const hash = createHash('sha256').update(`atrium vector database ${schema}`).digest();
  return [hash.readInt32BE(0), hash.readInt32BE(4)];
}

type LockWait = { schema: string; waitMs: number; log: Log };

async function waitForLock(
  client: Client,
  key: readonly [number, number],
  { schema, waitMs, log }: LockWait,
): Promise<void> {
  const endsAt = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as locked', [...key]);
    if (rows[0]?.locked === true) return;
    const holder = isFirst || performance.now() > endsAt ? await holderOf(client, schema) : '';
    if (performance.now() > endsAt)
      throw new Error(
        `The vector database in the schema ${schema} is in use by ${holder}. It serves one process at a time: stop that one, set VECTOR_DB_URL to its address, so that it serves both, or set another vector_db.storage_options.schema.`,
      );
    if (isFirst)
      log.info({ schema, holder }, 'waiting for the process that uses the vector database');
    await sleep(retryMs);
  }
}

async function holderOf(client: Client, schema: string): Promise<string> {
  const unknown = 'a process that has just started';
  const { rows } = await client
    .query<{ holder: string }>(`select holder from "${schema}".state`)
    .catch(() => ({ rows: [] }));
  return rows[0]?.holder || unknown;
}

/** Also finds a pooler that gives this client the session of another. */
async function holdsLock(client: Client, key: readonly [number, number]): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (
       select from pg_locks
       where locktype = 'advisory' and pid = pg_backend_pid() and granted
         and classid::bigint = $1 and objid::bigint = $2
     ) as held`,
    key.map((number) => number >>> 0),
  );
  return rows[0]?.held === true;
}

async function warnOfSuperuser(client: Client, log: Log): Promise<void> {
  const { rows } = await client.query(
    'select rolsuper or rolbypassrls as exempt from pg_roles where rolname = current_user',
  );
  if (rows[0]?.exempt === true)
    log.warn(
      'the role of the vector database is exempt from row-level security; connect with one that is not a superuser',
    );
}
