import { readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { seed } from '../../../src/modules/demo/seed.ts';
import { allocatorSettings } from '../../support/allocator-settings.ts';
import { modelProvider } from '../../support/model-provider.ts';
import { copyOfTemplate } from '../../support/postgres-template.ts';
import { type RunningServer, start, temporaryDirectory } from '../../support/process.ts';
import { withClient } from '../../support/with-client.ts';
import { seedOrganizations } from '../security/demo-people.ts';

export type Workspace = Awaited<ReturnType<typeof seed>>['organizations'][number];

export const serverUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
// Enough connections that no request is refused on a busy machine because it waits too long.
export const poolSize = 10;
const highLimit = '1000000';
const secret = 'the-secret-of-a-vault-under-load';

/**
 * Starts API, vault and vector database as three processes on Postgres, with the organizations of
 * the demo and a model provider.
 */
export async function startThreeServers() {
  const [apiData, vaultData, vectorData] = [
    temporaryDirectory(),
    temporaryDirectory(),
    temporaryDirectory(),
  ];
  const databaseCopy = await copyOfTemplate(serverUrl);
  const provider = await modelProvider(({ messages }) => ({
    reasoning: 'They ask, so I answer.',
    text: `You said ${JSON.stringify(messages.at(-1)?.content).slice(0, 200)}, and there is much to say of it. `.repeat(
      5,
    ),
  }));
  const startedProcesses: RunningServer[] = [];
  const stop = async () => {
    for (const { process: child, ended } of startedProcesses.toReversed()) {
      child.kill('SIGTERM');
      await ended;
    }
    await provider.close();
    await databaseCopy.server.close();
    for (const { remove } of [apiData, vaultData, vectorData]) remove();
  };
  try {
    const databaseSettings = { DATABASE_URL: databaseCopy.url, DATA_DIR: apiData.path };
    const organizations = await seedOrganizations(databaseSettings);
    const partner = organizations.find(({ slug }) => slug === 'partner');
    if (!partner) throw new Error('the demo has no partner');
    await withClient(databaseCopy.url, (client) =>
      client.query("update assistants set model = 'talker/any' where name = 'Drafts'"),
    );

    const config = join(vaultData.path, 'vault.yaml');
    // A small cache is full long before the end, so that later growth is not the cache.
    await writeFile(
      config,
      `vector_db: { cache_mb: 32 }\nlogging: { log_to_file: true, system_monitoring_interval: 5 }\nrate_limit: { requests_per_minute: ${highLimit} }\n`,
    );
    const common = {
      ...allocatorSettings,
      VAULT_SECRET: secret,
      VAULT_CONFIG: config,
      NODE_OPTIONS: '--inspect=127.0.0.1:0 --max-semi-space-size=64',
    };
    const startComponent = async (name: string, settings: Record<string, string>) => {
      const running = await start({ ...common, ...settings }, [name]);
      startedProcesses.push(running);
      return running;
    };
    const vectorDb = await startComponent('vector-db', { DATA_DIR: vectorData.path });
    const vault = await startComponent('vault', {
      DATA_DIR: vaultData.path,
      VECTOR_DB_URL: vectorDb.address,
    });
    const api = await startComponent('api', {
      ...databaseSettings,
      DATABASE_POOL: String(poolSize),
      VAULT_URL: vault.address,
      MODEL_PROVIDERS: JSON.stringify({ talker: { baseUrl: provider.baseUrl, apiKey: 'a-key' } }),
      ORGANIZATION_KEY_LIMIT: highLimit,
      USER_KEY_LIMIT: highLimit,
      ORGANIZATION_LIMIT: highLimit,
      VAULT_ORGANIZATION_LIMIT: highLimit,
      VAULT_PERSON_LIMIT: highLimit,
      QUOTA_RUNS: highLimit,
      QUOTA_UPLOADS: highLimit,
      ANONYMOUS_LIMIT: highLimit,
    });
    return {
      components: { api, vault, 'vector-db': vectorDb },
      partner,
      /** The amounts of stored data and the number of database connections. */
      async readStock() {
        const { rows } = await withClient(databaseCopy.url, (client) =>
          client.query<{ connections: number; bytes: string }>(
            `select (select count(*)::int from pg_stat_activity where datname = current_database()) - 1 as connections,
                    pg_database_size(current_database()) as bytes`,
          ),
        );
        const meta = await (await fetch(`${vectorDb.address}/v1/meta`)).json();
        return {
          connections: rows[0]?.connections ?? 0,
          databaseMb: Number(rows[0]?.bytes) / 1_048_576,
          filesMb: megabytesIn(apiData.path),
          vectorsMb: megabytesIn(vectorData.path),
          passages: Number(meta.objectCount),
        };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function megabytesIn(directory: string): number {
  const bytes = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(
    (path) => statSync(join(directory, path), { throwIfNoEntry: false })?.size ?? 0,
  );
  return bytes.reduce((sum, size) => sum + size, 0) / 1_048_576;
}
