import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from '../../../src/modules/demo/seed.ts';
import { createQuotas } from '../../../src/modules/quotas/quotas.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { databaseOn, openDatabase } from '../../../src/platform/database/database.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { createStorage } from '../../../src/platform/storage/storage.ts';
import { copyOfTemplate } from '../../support/postgres-template.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openInspector } from './inspector.ts';
import { canReach } from './reach.ts';

export type Workspace = Awaited<ReturnType<typeof seed>>['organizations'][number];
export type Target = Awaited<ReturnType<typeof openTarget>>;

const usualServer = 'postgres://postgres@127.0.0.1:5432/postgres';
const many = '1000000';
export const vaultSecret = 'the-secret-of-a-vault-that-is-shot-at';

type TargetOptions = {
  database?: 'postgres' | 'embedded' | undefined;
  settings?: Record<string, string>;
};

/**
 * The whole of Atrium as one program, filled with the demo's three organizations, and with limits
 * so high that 429 hides nothing. On Postgres where one can be reached and nothing else is asked
 * for, else on the embedded database.
 */
export async function openTarget({ database, settings = {} }: TargetOptions = {}) {
  const directory = temporaryDirectory();
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? usualServer;
  const copy =
    database !== 'embedded' && (await canReach(serverUrl))
      ? await copyOfTemplate(serverUrl)
      : undefined;
  try {
    const organizations = await fill(directory.path, copy);
    const vaultConfig = join(directory.path, 'vault.yaml');
    await writeFile(vaultConfig, `rate_limit:\n  requests_per_minute: ${many}\n`);
    const running = await start({
      DATA_DIR: directory.path,
      ...(copy ? { DATABASE_URL: copy.url } : {}),
      ORGANIZATION_KEY_LIMIT: many,
      USER_KEY_LIMIT: many,
      VAULT_ORGANIZATION_LIMIT: many,
      VAULT_PERSON_LIMIT: many,
      QUOTA_RUNS: many,
      QUOTA_UPLOADS: many,
      ORGANIZATION_LIMIT: many,
      ANONYMOUS_LIMIT: many,
      VAULT_SECRET: vaultSecret,
      VAULT_CONFIG: vaultConfig,
      // On a port of its own: what is in memory is told there.
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
      ...settings,
    });
    const inspector = await openInspector(running.output());
    return {
      ...running,
      database: copy ? ('postgres' as const) : ('embedded' as const),
      dataDirectory: directory.path,
      organizations,
      heapBytes: inspector.heapBytes,
      isAlive: () => running.process.exitCode === null && running.process.signalCode === null,
      async stop() {
        inspector.close();
        running.process.kill('SIGKILL');
        await running.ended;
        await copy?.server.close();
        directory.remove();
      },
    };
  } catch (error) {
    await copy?.server.close();
    directory.remove();
    throw error;
  }
}

async function fill(
  dataDirectory: string,
  copy: Awaited<ReturnType<typeof copyOfTemplate>> | undefined,
): Promise<Workspace[]> {
  const env = readEnv({ DATA_DIR: dataDirectory });
  const database = copy
    ? databaseOn({ ...copy.server, close: async () => undefined }, { poolSize: 2, log: quietLog })
    : await openDatabase({ dataDir: dataDirectory, log: quietLog });
  const storage = await createStorage(env, { alone: true, log: quietLog });
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
