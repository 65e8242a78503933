import {
  Client,
  type ClientBase,
  type ClientConfig,
  type DatabaseError,
  type Pool,
  type QueryResult,
} from 'pg';
import { isSame, type Scope, scopeStatement } from './scope.ts';

/** Where connections come from: a Postgres, or the one inside this process. */
export type Server = {
  kind: 'postgres' | 'embedded';
  /**
   * A connection that owes an answer for longer than `answerMs` is given up; absent: it is waited
   * for.
   */
  openPool(connectionsMax: number, answerMs?: number): Pool;
  /** Rejects where connections are no sessions of their own. */
  requireSession(): Promise<void>;
  close(): Promise<void>;
};

/** Times travel as text without a zone in both directions. */
export async function prepareSession(client: ClientBase): Promise<void> {
  await client.query("set time zone 'UTC'; set datestyle to 'ISO'");
}

/**
 * The same, and asks whether the role is one that row-level security holds for: for a superuser it
 * never does.
 */
export async function prepareRlsSession(client: ClientBase): Promise<void> {
  const role =
    'select not (rolsuper or rolbypassrls) as "rlsActive" from pg_roles where rolname = current_user';
  // Several statements in one message have a result each, which the types of pg do not know.
  const results: unknown = await client.query(
    `set time zone 'UTC'; set datestyle to 'ISO'; ${role}`,
  );
  const [, , found] = results as QueryResult<{ rlsActive: boolean }>[];
  if (client instanceof PooledClient) client.rlsActive = found?.rows[0]?.rlsActive !== false;
}

type Release = (fault?: Error | boolean) => void;

const CHECK_VIOLATION = '23514';

/**
 * `pg.Pool` drops the connection after every failed query, even a unique violation, and its
 * prepared statements with it: 3.6 instead of 0.23 ms. This one goes back to the pool unless the
 * connection itself is at fault.
 */
export class PooledClient extends Client {
  rlsActive = false;
  #scope: Scope | undefined;
  #release: Release = () => undefined;

  constructor(config?: string | ClientConfig) {
    super(config);
    // adapter-pg drops the name of a broken check, and keeps the column, which Postgres leaves
    // empty then.
    this.connection.on('errorMessage', (fault: DatabaseError) => {
      if (fault.code === CHECK_VIOLATION) fault.column = fault.constraint;
    });
    // Between the pool and whoever takes the client nobody listens; a connection that is lost then
    // ends no process.
    this.on('error', () => {});
  }

  /**
   * From now on its statements run for this scope. Costs a round trip where the one before was
   * another.
   */
  async setScope(scope: Scope): Promise<void> {
    if (!this.rlsActive || isSame(this.#scope, scope)) return;
    this.#scope = undefined;
    await this.query(scopeStatement(scope));
    this.#scope = scope;
  }

  get release(): Release {
    return this.#release;
  }

  /** The pool hands the client out with a function that takes it back. */
  set release(takeBack: Release) {
    this.#release = (fault) => {
      const passedOn = fault && !this.survives(fault) ? fault : undefined;
      // adapter-pg gives a connection back with its transaction open when the isolation level is
      // refused.
      const open =
        passedOn === undefined &&
        this.getTransactionStatus() !== 'I' &&
        this.getTransactionStatus() !== null;
      if (open) this.query('rollback').then(() => takeBack(), takeBack);
      else takeBack(passedOn);
    };
  }

  protected survives(fault: Error | boolean): boolean {
    return typeof fault === 'object' && isStatementFault(fault);
  }
}

// Connection exceptions, operator intervention, internal errors, session time limits, too many
// connections; and a prepared statement whose result a newer process has changed by a migration:
// this connection would refuse it for ever.
const endsConnection = /^(08|57P|XX|25P03|25P04|53300|0A000)/;

function isStatementFault(fault: Error): boolean {
  if (!('code' in fault && 'severity' in fault) || typeof fault.code !== 'string') return false;
  return !endsConnection.test(fault.code);
}
