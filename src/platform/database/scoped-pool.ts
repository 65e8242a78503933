import { Pool, type PoolClient } from 'pg';
import { PooledClient } from './pooled-client.ts';
import { allTenants, type TenantScope } from './scope.ts';

type ConnectCallback = Parameters<InstanceType<typeof Pool>['connect']>[0];

/**
 * A pool whose connections have a tenant scope, if row-level security applies. Without a scope all
 * rows are visible.
 */
export class ScopedPool extends Pool {
  /**
   * Whether row-level security applies to the database role; undefined before the first connection.
   */
  rlsActive: boolean | undefined;

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): unknown {
    if (this.rlsActive === false) return callback ? super.connect(callback) : super.connect();
    const connection = this.connectFor(allTenants);
    if (!callback) return connection;
    return connection.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }

  /** Any scope may be set: transactions set their own. */
  async connectForTransaction(): Promise<PoolClient> {
    const client = await super.connect();
    if (client instanceof PooledClient) this.rlsActive = client.rlsActive;
    return client;
  }

  async connectFor(scope: TenantScope): Promise<PoolClient> {
    const client = await this.connectForTransaction();
    if (!(client instanceof PooledClient)) return client;
    try {
      await client.setScope(scope);
      return client;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      throw error;
    }
  }
}
