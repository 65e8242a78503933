import { Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { PooledClient } from './pooled-client.ts';
import { everything, type Scope } from './scope.ts';

type Taker = Parameters<InstanceType<typeof Pool>['connect']>[0];

/**
 * Connections that are told for whom they are taken, where the server heeds it. Who does not say
 * sees everything.
 */
export class ScopedPool extends Pool {
  /** Whether row-level security holds for our role; unknown before the first connection. */
  rlsActive: boolean | undefined;

  override connect(): Promise<PoolClient>;
  override connect(taker: Taker): void;
  override connect(taker?: Taker): unknown {
    if (this.rlsActive === false) return taker ? super.connect(taker) : super.connect();
    const taken = this.connectFor(everything);
    if (!taker) return taken;
    return taken.then(
      (client) => taker(undefined, client, client.release),
      (error: Error) => taker(error, undefined, () => {}),
    );
  }

  async connectFor(scope: Scope): Promise<PoolClient> {
    const client = await super.connect();
    if (!(client instanceof PooledClient)) return client;
    this.rlsActive = client.rlsActive;
    try {
      await client.setScope(scope);
      return client;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      throw error;
    }
  }

  async queryFor<Row extends QueryResultRow>(
    scope: Scope,
    query: QueryConfig,
  ): Promise<QueryResult<Row>> {
    const client = await this.connectFor(scope);
    try {
      const result = await client.query<Row>(query);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      throw error;
    }
  }
}
