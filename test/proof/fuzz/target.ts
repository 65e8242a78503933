import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from '../../../src/modules/demo/seed.ts';
import { createQuotas } from '../../../src/modules/quotas/quotas.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { databaseOn } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { createStorage } from '../../../src/platform/storage/storage.ts';
import { copyOfTemplate } from '../../support/postgres-template.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openInspector } from '../inspector.ts';
import { isPostgresReachable } from './postgres-reachable.ts';
import { addWebhookEndpoints, openWebhookReceiver } from './webhook-receiver.ts';

export type Workspace = Awaited<ReturnType<typeof seed>>['organizations'][number];
export type FuzzTarget = Awaited<ReturnType<typeof openTarget>>;

const defaultServerUrl = 'postgres://postgres@127.0.0.1:5432/postgres';
const highLimit = '1000000';
export const vaultSecret = 'the-secret-of-a-vault-under-attack';

type TargetOptions = {
  database?: 'postgres' | 'embedded' | undefined;
  settings?: Record<string, string>;
};

/**
 * Atrium in one process with the three organizations of the demo, and with limits so high that no
 * request gets 429. Two of them have webhooks that a receiver accepts. Uses Postgres when it is reachable and `database` is not `embedded`.
 */
export async function openTarget({ database, settings = {} }: TargetOptions = {}) {
  const directory = temporaryDirectory();
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? defaultServerUrl;
  const databaseCopy =
    database !== 'embedded' && (await isPostgresReachable(serverUrl))
      ? await copyOfTemplate(serverUrl)
      : undefined;
  const receiver = await openWebhookReceiver();
  try {
    const organizations = await fill(directory.path, databaseCopy);
    const vaultConfig = join(directory.path, 'vault.yaml');
    await writeFile(vaultConfig, `rate_limit:\n  requests_per_minute: ${highLimit}\n`);
    const running = await start({
      DATA_DIR: directory.path,
      ...(databaseCopy ? { DATABASE_URL: databaseCopy.url } : {}),
      ORGANIZATION_KEY_LIMIT: highLimit,
      USER_KEY_LIMIT: highLimit,
      VAULT_ORGANIZATION_LIMIT: highLimit,
      VAULT_PERSON_LIMIT: highLimit,
      QUOTA_RUNS: highLimit,
      QUOTA_UPLOADS: highLimit,
      ORGANIZATION_LIMIT: highLimit,
      ANONYMOUS_LIMIT: highLimit,
      VAULT_SECRET: vaultSecret,
      VAULT_CONFIG: vaultConfig,
      PUBLIC_REQUEST_LOOPBACK: 'true',
      // The inspector listens on a free port; the heap size is read from it.
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
      ...settings,
    });
    const inspector = await openInspector(running.output());
    for (const organization of organizations.slice(0, 2))
      await addWebhookEndpoints(running.address, organization, receiver.url);
    return {
      ...running,
      database: databaseCopy ? ('postgres' as const) : ('embedded' as const),
      /** Absent with the embedded database. */
      databaseUrl: databaseCopy?.url,
      dataDirectory: directory.path,
      organizations,
      receiverUrl: receiver.url,
      /** The heap in use after garbage collection. */
      async heapBytes(): Promise<number> {
        await inspector.collectGarbage();
        return inspector.heapBytes();
      },
      isAlive: () => running.process.exitCode === null && running.process.signalCode === null,
      async stop() {
        inspector.close();
        running.process.kill('SIGKILL');
        await running.ended;
        receiver.close();
        await databaseCopy?.server.close();
        directory.remove();
      },
    };
  } catch (error) {
    receiver.close();
    await databaseCopy?.server.close();
    directory.remove();
    throw error;
  }
}

async function fill(
  dataDirectory: string,
  databaseCopy: Awaited<ReturnType<typeof copyOfTemplate>> | undefined,
): Promise<Workspace[]> {
  const env = readEnv({ DATA_DIR: dataDirectory });
  const database = databaseCopy
    ? databaseOn(
        { ...databaseCopy.server, close: async () => undefined },
        { poolSize: 2, log: quietLog },
      )
    : await openDatabase({ dataDir: dataDirectory, log: quietLog });
  const storage = await createStorage(env, { isSoleUser: true, log: quietLog });
  const { organizations } = await seed({
    database,
    clock: systemClock,
    files: {
      storage,
      quotas: createQuotas({ env, database, log: quietLog }),
      wake: () => undefined,
    },
  });
  storage.close();
  await database.close();
  return organizations;
}
