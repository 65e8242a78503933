import { createServer } from 'node:net';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { emptyServer, serverUrl, testDatabase } from './support/database.ts';
import { modelProvider } from './support/model-provider.ts';
import {
  freePort,
  freePorts,
  type Running,
  run,
  start,
  temporaryDirectory,
} from './support/process.ts';

// Each test starts whole programs, and other files have the machine as well.
vi.setConfig({ testTimeout: 120_000 });

const running: Running[] = [];
const atTheEnd: (() => unknown)[] = [];

const directory = () => {
  const made = temporaryDirectory();
  atTheEnd.push(made.remove);
  return made.path;
};

/** The settings of several workers on a database of their own. */
async function sharedSettings(): Promise<Record<string, string>> {
  const { url = '', close } = await emptyServer();
  atTheEnd.push(close);
  return { DATABASE_URL: url, DATA_DIR: directory(), WORKERS: '2' };
}

async function startWith(settings: Record<string, string>) {
  const server = await start(settings);
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.process.kill('SIGKILL');
    await server.ended;
  }
});
afterAll(async () => {
  for (const end of atTheEnd) await end();
});

type Line = { worker?: number; pid: number; msg: string; database?: string; status?: number };
const linesOf = ({ output }: Running): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
const pidsOf = (server: Running, worker: number) => [
  ...new Set(
    linesOf(server).flatMap((line) =>
      line.worker === worker && line.pid !== server.process.pid ? [line.pid] : [],
    ),
  ),
];

/** On a connection of its own: they are what the workers share out. */
const ask = (server: Running, path: string, key: string) =>
  fetch(server.address + path, {
    headers: { authorization: `Bearer ${key}`, connection: 'close' },
  });

describe('WORKERS', () => {
  it('needs a Postgres and a directory, and says so', async () => {
    const { ended, stderr } = run('src/main.ts', {
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
  'programs that start at once on a database without anybody in it all start, and one of them welcomes',
  async () => {
    const { url = '', close } = await testDatabase();
    atTheEnd.push(close);
    const together = [1, 2, 3].map(() => startWith({ DATABASE_URL: url, DATA_DIR: directory() }));
    const welcomes = (await Promise.all(together)).map(
      (server) => server.output().match(/A demo workspace was made/g)?.length ?? 0,
    );
    expect(welcomes.toSorted()).toEqual([0, 0, 1]);
  },
);

describe.runIf(serverUrl !== undefined)('two workers behind one port', () => {
  it('share the only model of a provider, which is asked for it once', async () => {
    const provider = await modelProvider(() => ({ text: 'Hello.' }), ['large']);
    atTheEnd.push(provider.close);
    const server = await startWith({
      ...(await sharedSettings()),
      MODEL_BASE_URL: provider.baseUrl,
    });
    const [, userKey = ''] = /admin .* key (sk_svc_\w+)/.exec(server.output()) ?? [];
    const query = `/graphql?query=${encodeURIComponent('{ models { usual } }')}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => (await ask(server, query, userKey)).json()),
    );
    for (const answer of answers) expect(answer).toEqual({ data: { models: { usual: 'large' } } });
    expect(provider.lists()).toBe(1);
  });

  it('are one Atrium: welcomed once, with exact limits, common figures, one vault, and sent home in good order', async () => {
    const token = 'a-token-of-the-test';
    const server = await startWith({
      ...(await sharedSettings()),
      ORGANIZATION_KEY_LIMIT: '30',
      METRICS_TOKEN: token,
    });
    expect(server.output().match(/A demo workspace was made/g)).toHaveLength(1);
    const [organizationKey = ''] = /sk_svc_um_\w+/.exec(server.output()) ?? [];
    const [, userKey = ''] = /admin .* key (sk_svc_\w+)/.exec(server.output()) ?? [];

    const answers = await Promise.all(
      Array.from({ length: 45 }, () =>
        ask(server, '/api/user-management/v1/users', organizationKey),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    await expect
      .poll(
        () =>
          new Set(
            linesOf(server).flatMap(({ worker, status }) => (status === 200 && worker) || []),
          ),
      )
      .toEqual(new Set([1, 2]));

    const scrapes = await Promise.all(
      [1, 2, 3, 4].map(async () => (await ask(server, '/metrics', token)).text()),
    );
    for (const figures of scrapes) {
      for (const worker of [1, 2])
        expect(figures).toContain(`process_resident_memory_bytes{worker="${worker}"}`);
      const refused = [
        ...figures.matchAll(/^atrium_http_requests_total\{.*status="429".*\} (\d+)/gm),
      ].map(([, count]) => Number(count));
      expect(refused.reduce((sum, count) => sum + count, 0)).toBe(15);
    }

    const [, handbook = ''] = /assistants\/v1\/([\w-]+)\/run/.exec(server.output()) ?? [];
    const question = {
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
        body: JSON.stringify(question),
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
        linesOf(server).filter((line) => line.worker === worker && line.msg === 'stopped'),
      ).toHaveLength(1);
  });

  it('get another in the place of one that is killed, which is told; those of a killed program end with it', async () => {
    const server = await startWith(await sharedSettings());
    const [key = ''] = /sk_svc_um_\w+/.exec(server.output()) ?? [];
    const [killed = 0] = pidsOf(server, 2);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => pidsOf(server, 2).length, { timeout: 60_000 }).toBe(2);
    expect(linesOf(server)).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'a worker ended; another takes its place',
        worker: 2,
        signal: 'SIGKILL',
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ask(server, '/api/user-management/v1/users', key)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));

    server.process.kill('SIGKILL');
    // Its outputs are closed when the last that holds them has ended.
    await server.ended;
    await expect(ask(server, '/livez', key)).rejects.toThrow();
  });

  it('are not tried for ever where the first can not start, which says why', async () => {
    const settings = await sharedSettings();
    const nowhere = Object.assign(new URL(settings['DATABASE_URL'] ?? ''), {
      pathname: '/nowhere',
    }).href;
    const { ended, stderr } = run('src/main.ts', {
      ...freePorts,
      ...settings,
      DATABASE_URL: nowhere,
    });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(
      /database "nowhere" does not exist.*\nThe first of the workers did not start/,
    );
  });

  it('share no port with another program', async () => {
    const PORT = await freePort();
    const taken = createServer().listen({
      port: PORT,
      host: '127.0.0.1',
      reusePort: process.platform === 'linux',
    });
    atTheEnd.push(() => taken.close());
    const { ended, stderr } = run('src/main.ts', {
      ...freePorts,
      ...(await sharedSettings()),
      PORT: String(PORT),
    });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(/EADDRINUSE/);
  });

  it('are none by default: the program is the one process that it was', async () => {
    const { WORKERS: _, ...settings } = await sharedSettings();
    const server = await startWith(settings);
    expect(new Set(linesOf(server).map(({ pid }) => pid))).toEqual(new Set([server.process.pid]));
    expect(linesOf(server).filter(({ worker }) => worker !== undefined)).toEqual([]);
  });
});
