import {
  Client,
  type ClientBase,
  type ClientConfig,
  type DatabaseError,
  type Pool,
  type QueryResult,
} from 'pg';
import { decodeRows } from './driver/decode-rows.ts';
import { isStatementError } from './driver/pipeline.ts';
import { limitQueries } from './driver/query-limit.ts';
import { isSameScope, scopeStatement, type TenantScope } from './scope.ts';

/** A Postgres server, or the embedded database of this process. */
export type DatabaseServer = {
  kind: 'postgres' | 'embedded';
  /**
   * A query that takes longer than `queryTimeoutMs` fails and its connection is closed. Absent: no
   * limit.
   */
  openPool(connectionsMax: number, queryTimeoutMs?: number): Pool;
  /** Rejects if a connection is not a session of its own, as behind a transaction-mode pooler. */
  requireSession(): Promise<void>;
  /** Absent: a checkpoint is always possible. */
  hasSpaceForCheckpoint?(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * A role or a database can have other defaults than these. Timestamps are sent and received as text
 * in UTC. Concurrent writes rely on the isolation level. In a string a backslash is an ordinary
 * character.
 * JIT is off, because Postgres compiles statements by their estimated cost: for a page near the end
 * of a large list that takes much longer than the statement itself.
 */
const sessionSettings = [
  "set time zone 'UTC'",
  "set datestyle to 'ISO, MDY'",
  'set extra_float_digits to 1',
  'set standard_conforming_strings to on',
  "set default_transaction_isolation to 'read committed'",
  'set jit to off',
].join('; ');

export async function prepareSession(client: ClientBase): Promise<void> {
  await client.query(sessionSettings);
}

/**
 * Also determines whether row-level security applies to the role: it never applies to a superuser.
 */
export async function prepareRlsSession(client: ClientBase): Promise<void> {
  const role =
    'select not (rolsuper or rolbypassrls) as "rlsActive" from pg_roles where rolname = current_user';
  // Several statements in one query return one result each, which the types of pg do not describe.
  const results: unknown = await client.query(`${sessionSettings}; ${role}`);
  const roles = (results as QueryResult<{ rlsActive: boolean }>[]).at(-1);
  if (client instanceof PooledClient) client.rlsActive = roles?.rows[0]?.rlsActive !== false;
}

type ReleaseConnection = (fault?: Error | boolean) => void;

const CHECK_VIOLATION = '23514';

/**
 * `pg.Pool` closes the connection after every failed query, even after a unique violation, and its
 * prepared statements with it: 3.6 instead of 0.23 ms. This client returns to the pool unless the
 * connection itself failed.
 */
export class PooledClient extends Client {
  rlsActive = false;
  #scope: TenantScope | undefined;
  #release: ReleaseConnection = () => undefined;

  constructor({ query_timeout: queryTimeoutMs, ...config }: ClientConfig = {}) {
    super(config);
    decodeRows(this.connection);
    if (queryTimeoutMs !== undefined) limitQueries(this, queryTimeoutMs);
    // adapter-pg drops the constraint name of a check violation but keeps the column, which
    // Postgres leaves empty in that case.
    this.connection.on('errorMessage', (fault: DatabaseError) => {
      if (fault.code === CHECK_VIOLATION) fault.column = fault.constraint;
    });
    // Between the pool and its user no other code listens for errors; without this listener a lost
    // connection would end the process.
    this.on('error', () => {});
  }

  /** Sets the scope of all further statements. This takes one round trip if the scope changes. */
  async setScope(scope: TenantScope): Promise<void> {
    if (!this.rlsActive || isSameScope(this.#scope, scope)) return;
    this.#scope = undefined;
    await this.query(scopeStatement(scope));
    this.#scope = scope;
  }

  get release(): ReleaseConnection {
    return this.#release;
  }

  /** The pool sets the function that returns the client to it. */
  set release(returnToPool: ReleaseConnection) {
    this.#release = (fault) => {
      const connectionFault = fault && !this.survives(fault) ? fault : undefined;
      // adapter-pg releases a connection with an open transaction if the isolation level is
      // rejected.
      const open =
        connectionFault === undefined &&
        this.getTransactionStatus() !== 'I' &&
        this.getTransactionStatus() !== null;
      if (open) this.query('rollback').then(() => returnToPool(), returnToPool);
      else returnToPool(connectionFault);
    };
  }

  protected survives(fault: Error | boolean): boolean {
    return (
      typeof fault === 'object' &&
      isStatementError(fault) &&
      !('code' in fault && lastingErrors.has(String(fault.code)))
    );
  }
}

// Too many connections, and 0A000: a prepared statement whose result type a migration of a newer
// process has changed would be rejected on this connection forever.
const lastingErrors: ReadonlySet<string> = new Set(['53300', '0A000']);
