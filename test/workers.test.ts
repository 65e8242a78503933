import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { emptyServer, serverUrl, testDatabase } from './support/database.ts';
import { modelProvider } from './support/model-provider.ts';
import { freePort, freePorts, type RunningServer, run, serverProgram } from './support/process.ts';
import { serversOfTests } from './support/servers-of-tests.ts';

// Each test starts programs, and other test files run at the same time.
vi.setConfig({ testTimeout: 120_000 });

const { startForTest, directory, afterTests } = serversOfTests();

/** Settings for two workers with their own database, whose tables exist already by default. */
async function sharedSettings(
  open: () => Promise<{ url?: string | undefined; close: () => Promise<void> }> = testDatabase,
) {
  const { url = '', close } = await open();
  afterTests(close);
  return { DATABASE_URL: url, DATA_DIR: directory(), WORKERS: '2' };
}

type LogEntry = { worker?: number; pid: number; msg: string; database?: string; status?: number };
const logEntriesOf = ({ output }: RunningServer): LogEntry[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
const pidsOf = (server: RunningServer, worker: number) => [
  ...new Set(
    logEntriesOf(server).flatMap((line) =>
      line.worker === worker && line.pid !== server.process.pid ? [line.pid] : [],
    ),
  ),
];

/** A request on a new connection, because connections are distributed to the workers. */
const get = (server: RunningServer, path: string, key: string) =>
  fetch(server.address + path, {
    headers: { authorization: `Bearer ${key}`, connection: 'close' },
  });

describe('WORKERS', () => {
  it('more than one worker needs a Postgres and a data directory, and the error says so', async () => {
    const { ended, stderr } = run(serverProgram(), {
      ...freePorts,
      DATA_DIR: ':memory:',
      WORKERS: '2',
    });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(/WORKERS: more than 1 needs DATABASE_URL/);
    expect(stderr()).toMatch(/WORKERS: more than 1 needs a directory/);
  });
});

it.runIf(serverUrl !== undefined)(
  'of several programs that start at the same time on one database, one creates the demo workspace, and each is a single process without workers',
  async () => {
    const { url = '', close } = await testDatabase();
    afterTests(close);
    const together = [1, 2, 3].map(() =>
      startForTest({ DATABASE_URL: url, DATA_DIR: directory() }),
    );
    const servers = await Promise.all(together);
    const workspaces = servers.map(
      (server) => server.output().match(/A demo workspace was created/g)?.length ?? 0,
    );
    expect(workspaces.toSorted()).toEqual([0, 0, 1]);
    for (const server of servers) {
      const entries = logEntriesOf(server);
      expect(new Set(entries.map(({ pid }) => pid))).toEqual(new Set([server.process.pid]));
      expect(entries.filter(({ worker }) => worker !== undefined)).toEqual([]);
    }
  },
);

describe.runIf(serverUrl !== undefined)('two workers behind one port', () => {
  it('workers share the default model, and the provider is asked for it once', async () => {
    const provider = await modelProvider(() => ({ text: 'Hello.' }), ['large']);
    afterTests(provider.close);
    const server = await startForTest({
      ...(await sharedSettings()),
      MODEL_BASE_URL: provider.baseUrl,
    });
    const [, userKey = ''] = /admin .* key (sk_svc_\w+)/.exec(server.output()) ?? [];
    const query = `/graphql?query=${encodeURIComponent('{ models { usual } }')}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => (await get(server, query, userKey)).json()),
    );
    for (const answer of answers) expect(answer).toEqual({ data: { models: { usual: 'large' } } });
    expect(provider.listRequests()).toBe(1);
  });

  it('workers share the demo workspace, exact rate limits, metrics and one vault, and stop in order', async () => {
    const token = 'a-token-of-the-test';
    const server = await startForTest({
      ...(await sharedSettings(emptyServer)),
      ORGANIZATION_KEY_LIMIT: '30',
      METRICS_TOKEN: token,
    });
    expect(server.output().match(/A demo workspace was created/g)).toHaveLength(1);
    const [organizationKey = ''] = /sk_svc_um_\w+/.exec(server.output()) ?? [];
    const [, userKey = ''] = /admin .* key (sk_svc_\w+)/.exec(server.output()) ?? [];

    const answers = await Promise.all(
      Array.from({ length: 45 }, () =>
        get(server, '/api/user-management/v1/users', organizationKey),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    // Which worker takes a connection depends on how busy both are: more requests, until each did.
    let refused = 15;
    await expect
      .poll(
        async () => {
          const { status } = await get(server, '/api/user-management/v1/users', organizationKey);
          if (status === 429) refused += 1;
          return new Set(
            logEntriesOf(server).flatMap(({ worker, status }) => (status && worker) || []),
          );
        },
        { timeout: 30_000 },
      )
      .toEqual(new Set([1, 2]));

    const scrapes = await Promise.all(
      [1, 2, 3, 4].map(async () => (await get(server, '/metrics', token)).text()),
    );
    for (const metrics of scrapes) {
      for (const worker of [1, 2])
        expect(metrics).toContain(`process_resident_memory_bytes{worker="${worker}"}`);
      const rejected = [
        ...metrics.matchAll(/^atrium_http_requests_total\{.*status="429".*\} (\d+)/gm),
      ].map(([, count]) => Number(count));
      expect(rejected.reduce((sum, count) => sum + count, 0)).toBe(refused);
    }

    const [, handbook = ''] = /assistants\/v1\/([\w-]+)\/run/.exec(server.output()) ?? [];
    const body = {
      messages: [{ role: 'user', content: 'How much is the meal allowance in Germany?' }],
    };
    const run = async () => {
      const answer = await fetch(`${server.address}/api/assistants/v1/${handbook}/run`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${userKey}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify(body),
      });
      return (await answer.json()).citations;
    };
    await expect.poll(run, { timeout: 30_000 }).toEqual(['travel-policy.pdf#page=2']);
    expect(await run()).toEqual(['travel-policy.pdf#page=2']);

    server.process.kill('SIGTERM');
    await expect
      .poll(
        async () =>
          (await fetch(`${server.address}/readyz`, { headers: { connection: 'close' } })).status,
      )
      .toBe(503);
    expect(await server.ended).toBe(0);
    expect(server.output()).not.toMatch(/"level":"(error|fatal)"/);
    for (const worker of [1, 2])
      expect(
        logEntriesOf(server).filter((line) => line.worker === worker && line.msg === 'stopped'),
      ).toHaveLength(1);
  });

  it('a killed worker is replaced and logged, and workers end when the primary process is killed', async () => {
    const server = await startForTest(await sharedSettings());
    const [key = ''] = /sk_svc_um_\w+/.exec(server.output()) ?? [];
    const [killed = 0] = pidsOf(server, 2);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => pidsOf(server, 2).length, { timeout: 60_000 }).toBe(2);
    expect(logEntriesOf(server)).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'a worker ended and will be replaced',
        worker: 2,
        signal: 'SIGKILL',
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => get(server, '/api/user-management/v1/users', key)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));

    server.process.kill('SIGKILL');
    // The output ends when the last process that holds it has ended.
    await server.ended;
    await expect(get(server, '/livez', key)).rejects.toThrow();
  });

  it('the start fails with the reason if the first worker cannot start', async () => {
    const settings = await sharedSettings();
    const missingDatabaseUrl = Object.assign(new URL(settings['DATABASE_URL'] ?? ''), {
      pathname: '/nowhere',
    }).href;
    const { ended, stderr } = run(serverProgram(), {
      ...freePorts,
      ...settings,
      DATABASE_URL: missingDatabaseUrl,
    });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(
      /database "nowhere" does not exist.*\nThe first of the workers did not start/,
    );
  });

  it('the start fails if another program uses the port', async () => {
    const PORT = await freePort();
    const otherServer = createServer().listen({
      port: PORT,
      host: '127.0.0.1',
      reusePort: process.platform === 'linux',
    });
    afterTests(() => otherServer.close());
    const { ended, stderr } = run(serverProgram(), {
      ...freePorts,
      ...(await sharedSettings()),
      PORT: String(PORT),
    });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(/EADDRINUSE/);
  });
});
