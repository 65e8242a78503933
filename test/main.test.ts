import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { migratedDirectory } from './support/embedded-template.ts';
import { type ModelProvider, modelProvider } from './support/model-provider.ts';
import {
  freePort,
  freePorts,
  type RunningServer,
  run,
  serverProgram,
  start,
} from './support/process.ts';
import { serversOfTests } from './support/servers-of-tests.ts';

// Each test starts programs, and other test files run at the same time.
vi.setConfig({ testTimeout: 120_000 });

const { startForTest, directory, afterTests } = serversOfTests();

/** A data directory with a migrated database: most tests are not about the first start. */
const migratedDataDir = async () => {
  const { path, remove } = await migratedDirectory();
  afterTests(remove);
  return path;
};

const startIn = (
  DATA_DIR: string,
  settings: Record<string, string> = {},
  part: string[] = [],
): Promise<RunningServer> => startForTest({ DATA_DIR, ...settings }, part);

const secretIn = (data: string) => readFileSync(join(data, 'vault-secret'), 'utf8').trim();
const keyIn = (output: string) => /sk_svc_um_\w+/.exec(output)?.[0] ?? '';
const messagesIn = (output: string) =>
  output.split('\n').flatMap((line) => (line.startsWith('{') ? JSON.parse(line).msg : []));
const usersOf = async (address: string, key: string) =>
  (
    await fetch(`${address}/api/user-management/v1/users`, {
      headers: { authorization: `Bearer ${key}` },
    })
  ).json();

describe('npm start', () => {
  it('the first start logs its steps, and creates a demo workspace whose printed curl commands work; a second start keeps it and the vault’s secret, and prints no keys', {
    timeout: 120_000,
  }, async () => {
    const data = directory();
    const first = await startIn(data);
    expect(messagesIn(first.output())).toEqual([
      'migrating the database',
      'migrated the database',
      'creating a demo workspace',
      'the database is open',
      'ready',
    ]);
    expect(first.output()).toMatch(/"ready":true.*\n\nA demo workspace was created/);
    const key = keyIn(first.output());
    const lines = first.output().match(/curl .+/g) ?? [];
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      const pasted = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
      expect(pasted.stdout).toMatch(/^\{"(status":"success"|data":|assistants":|files":|text":)/);
    }
    const [asking = ''] = lines.filter((line) => line.endsWith('/run'));
    const citations = () =>
      JSON.parse(spawnSync('bash', ['-c', asking], { encoding: 'utf8' }).stdout).citations;
    // The files of the handbook are processed in the background.
    await expect.poll(citations, { timeout: 60_000 }).toEqual(['travel-policy.pdf#page=2']);
    // The requests between the parts are logged at the level debug.
    expect(first.output()).not.toMatch(
      /"operation":"(listCollections|ingestDocument|putDocument)"/,
    );

    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const secret = secretIn(data);

    const second = await startIn(data);
    expect(secretIn(data)).toBe(secret);
    expect(second.output()).not.toMatch(/sk_svc_\w/);
    expect(await usersOf(second.address, key)).toMatchObject({ status: 'success', total: 3 });
  });

  it('the start fails with code 1 and lists all invalid settings', async () => {
    const { ended, stderr } = run(serverProgram(), {
      PORT: 'abc',
      DATABASE_URL: 'mysql://nowhere',
      LOG_LEVEL: 'loud',
      ORGANIZATION_KEY_LIMIT: '0',
    });
    expect(await ended).toBe(1);
    for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'ORGANIZATION_KEY_LIMIT'])
      expect(stderr()).toContain(name);
    expect(stderr()).not.toMatch(/\n\s+at /);
  });

  it.each(['PORT', 'VAULT_PORT', 'VECTOR_DB_PORT'])(
    'a port that is in use stops the start before the database is created, with the name %s',
    async (name) => {
      const other = createServer().listen(0, '127.0.0.1');
      afterTests(() => other.close());
      await once(other, 'listening');
      const port = Object(other.address()).port;
      const data = directory();
      const { ended, stderr } = run(serverProgram(), {
        ...freePorts,
        DATA_DIR: data,
        [name]: String(port),
      });
      expect(await ended).toBe(1);
      expect(stderr()).toBe(
        `${name}: another program, perhaps another Atrium, listens on port ${port} of 127.0.0.1 (EADDRINUSE). Stop it, or set ${name} to another port; 0 picks a free one.\n`,
      );
      expect(readdirSync(data)).not.toContain('database');
    },
  );

  it.each([
    [{ HOST: '192.0.2.1' }, /^HOST: 192\.0\.2\.1 is no address of this machine/],
    [{ DATA_DIR: '/dev/null' }, /^DATA_DIR: \/dev\/null is not a directory that this user can/],
    [
      { DATA_DIR: '/dev/null/data' },
      /^DATA_DIR: \/dev\/null\/data is not a directory that this user can/,
    ],
  ])('%j stops the start with one sentence that names the setting', async (settings, sentence) => {
    const { ended, stderr } = run(serverProgram(), {
      ...freePorts,
      DATA_DIR: directory(),
      ...settings,
    });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(sentence);
    expect(stderr().trim().split('\n')).toHaveLength(1);
  });

  it('the start fails with code 1 and one sentence if a trusted document is invalid', async () => {
    const text = '{ colours { name } }';
    const manifest = join(directory(), 'manifest.json');
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(manifest, JSON.stringify({ [hash]: text }));
    const { ended, stderr } = run(serverProgram(), {
      ...freePorts,
      DATA_DIR: await migratedDataDir(),
      GRAPHQL_DOCUMENTS: manifest,
    });
    expect(await ended).toBe(1);
    expect(stderr()).toContain(
      `${manifest}: the document ${hash} is invalid: Cannot query field "colours" on type "Query". (line 1, column 3)\n`,
    );
    expect(stderr()).not.toMatch(/\n\s+at /);
  });

  it('the first start in production creates no demo data and prints a one-time setup link', async () => {
    const server = await startIn(directory(), {
      NODE_ENV: 'production',
      EMAIL_VERIFICATION: 'off',
    });
    expect(server.output()).not.toMatch(/sk_svc_\w/);
    expect(server.output()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/setup\?token=[\w-]{20,}/);
  });

  it('on SIGTERM running requests end, and /readyz is 503 meanwhile', async () => {
    const server = await startIn(await migratedDataDir());
    const key = keyIn(server.output());
    const answers = Array.from({ length: 20 }, (_, index) =>
      fetch(`${server.address}/api/user-management/v1/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `stop${index}@stop.example` }),
      }).then(({ status }) => status),
    );
    await expect.poll(() => Promise.race([...answers, Promise.resolve(0)])).toBe(200);
    server.process.kill('SIGTERM');
    await expect
      .poll(async () => (await fetch(`${server.address}/readyz`)).status, { timeout: 10_000 })
      .toBe(503);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(await server.ended).toBe(0);
    expect(server.output()).not.toMatch(/"level":"(error|fatal)"/);
  });

  it('on SIGHUP, which a closed terminal sends, the server ends as on SIGTERM', async () => {
    const server = await startIn(await migratedDataDir());
    server.process.kill('SIGHUP');
    expect(await server.ended).toBe(0);
    expect(messagesIn(server.output())).toContain('stopped');
  });
});

describe('a running server', () => {
  const token = 'a-token-of-the-test';
  let data: string;
  let server: RunningServer;
  beforeAll(async () => {
    data = await migratedDataDir();
    server = await start({ DATA_DIR: data, METRICS_TOKEN: token });
  });
  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.ended;
  });

  const get = async (address: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(address, { headers });
    return { status: answer.status, body: await answer.json() };
  };

  it('the vault runs in the same process on its own ports, with a generated secret', async () => {
    const { api, vault, vectorDb } = server.addresses;
    expect(new Set([api, vault, vectorDb]).size).toBe(3);
    const secret = secretIn(data);
    expect(await get(`${vectorDb}/v1/.well-known/ready`)).toEqual({
      status: 200,
      body: { status: 'healthy' },
    });
    expect(await get(`${vectorDb}/v1/meta`)).toMatchObject({
      status: 200,
      body: { documentCount: 0, objectCount: 0, collections: 0 },
    });
    expect(await get(`${vectorDb}/v1/collections`)).toMatchObject({
      status: 401,
      body: { status: 'error' },
    });
    expect(await get(`${vault}/health`)).toMatchObject({
      status: 200,
      body: { status: 'healthy' },
    });
    expect(await get(`${vault}/health/system`)).toMatchObject({
      status: 401,
      body: { status: 'error' },
    });
    expect(
      await get(`${vault}/health/system`, { authorization: `Bearer ${secret}` }),
    ).toMatchObject({
      status: 200,
      body: { status: 'healthy', database: { status: 'healthy', documentCount: 0 } },
    });
    expect((await fetch(`${api}/readyz`)).status).toBe(200);
  });

  it('a data directory that another process uses is rejected with the process id', async () => {
    const { ended, stderr } = run(serverProgram(), { ...freePorts, DATA_DIR: data });
    expect(await ended).toBe(1);
    expect(stderr()).toContain(String(server.process.pid));
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  });

  it('/livez and /readyz need no key; /metrics needs its token', async () => {
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.address}/metrics`)).status).toBe(401);
    expect(
      (await fetch(`${server.address}/metrics`, { headers: { authorization: 'Bearer wrong' } }))
        .status,
    ).toBe(401);
    const metrics = await fetch(`${server.address}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('atrium_http_requests_total');
  });

  it('seed explains that the server is running on the embedded database, and works after it was stopped', async () => {
    const settings = { DATA_DIR: data };
    const rejected = run('src/commands/seed.ts', settings);
    expect(await rejected.ended).toBe(1);
    expect(rejected.stderr()).toMatch(
      /^Nothing was seeded, because Atrium is running\. Stop it with Ctrl\+C, run npm run seed, then start it again\.\n/,
    );
    expect(rejected.stderr()).toContain(`in use by process ${server.process.pid}`);
    server.process.kill('SIGINT');
    expect(await server.ended).toBe(0);
    const seeded = run('src/commands/seed.ts', settings, ['--json']);
    expect(await seeded.ended).toBe(0);
    const [partner] = JSON.parse(seeded.stdout()).organizations;
    const again = await startIn(data);
    expect(await usersOf(again.address, partner.organizationKey)).toMatchObject({
      status: 'success',
      total: 4,
    });
  });
});

describe('a model provider without MODEL_DEFAULT', () => {
  let provider: ModelProvider | undefined;
  afterEach(() => provider?.close());

  it('the only model of a provider becomes the default model', async () => {
    provider = await modelProvider(() => ({ text: 'Hello from the provider.' }), ['large']);
    const server = await startIn(directory(), {
      MODEL_BASE_URL: provider.baseUrl,
      MODEL_API_KEY: 'the key',
    });
    const [, userKey = ''] = /admin .* key (sk_svc_\w+)/.exec(server.output()) ?? [];
    const headers = { authorization: `Bearer ${userKey}`, 'content-type': 'application/json' };
    const list = await (await fetch(`${server.address}/api/assistants/v1/`, { headers })).json();
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] });
    const run = await fetch(`${server.address}/api/assistants/v1/${list.assistants[0].id}/run`, {
      method: 'POST',
      headers,
      body,
    });
    expect(await run.json()).toMatchObject({ text: 'Hello from the provider.', model: 'large' });
    expect(provider.keys[0]).toBe('Bearer the key');
  });

  it('the start fails and lists the models if the provider has several', async () => {
    provider = await modelProvider(() => ({ text: 'Hello.' }), ['large', 'small']);
    const { ended, stderr } = run(serverProgram(), {
      ...freePorts,
      DATA_DIR: directory(),
      MODEL_BASE_URL: provider.baseUrl,
    });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(/MODEL_DEFAULT: must be set .* 2 models: large, small\n$/);
    expect(stderr()).not.toMatch(/\n\s+at /);
  });

  it('a part that runs no assistants does not contact the provider', async () => {
    provider = await modelProvider(() => ({ text: 'Hello.' }), ['large', 'small']);
    const settings = {
      VAULT_SECRET: 'a-secret-of-the-test',
      VECTOR_DB_URL: 'http://127.0.0.1:9',
      MODEL_BASE_URL: provider.baseUrl,
    };
    await startIn(directory(), settings, ['vault']);
    expect(provider.listRequests()).toBe(0);
  });
});

describe('the vault', () => {
  it('a separate vault is unhealthy while its vector database is stopped, and healthy when it is back', async () => {
    const settings = {
      VAULT_SECRET: 'a-secret-of-the-test',
      VECTOR_DB_PORT: String(await freePort()),
    };
    const data = directory();
    const database = await startIn(data, settings, ['vector-db']);
    const vault = await startIn(directory(), settings, ['vault']);
    const health = async () => (await fetch(`${vault.address}/health`)).status;
    expect(await health()).toBe(200);
    database.process.kill('SIGKILL');
    await database.ended;
    await expect.poll(health, { timeout: 60_000 }).toBe(503);
    const back = await startIn(data, settings, ['vector-db']);
    expect(back.addresses).toEqual(database.addresses);
    await expect.poll(health, { timeout: 60_000 }).toBe(200);
  });
});

describe('npm start with the name of a part', () => {
  it('a vault with another secret than its vector database is unhealthy, and the logs of the vault and of the API say why', async () => {
    const settings = { VECTOR_DB_PORT: String(await freePort()) };
    await startIn(directory(), { ...settings, VAULT_SECRET: 'secret-of-the-vectors' }, [
      'vector-db',
    ]);
    const vault = await startIn(directory(), { ...settings, VAULT_SECRET: 'secret-of-the-vault' }, [
      'vault',
    ]);
    expect((await fetch(`${vault.address}/health`)).status).toBe(503);
    await expect
      .poll(() => messagesIn(vault.output()))
      .toContain(
        'the vector database rejects the secret of this vault: start both with the same VAULT_SECRET',
      );
    const api = await startIn(
      await migratedDataDir(),
      { VAULT_URL: vault.address, VAULT_SECRET: 'secret-of-the-api' },
      ['api'],
    );
    await expect
      .poll(() => api.output(), { timeout: 30_000 })
      .toMatch(/the vault rejects the secret of this API: start both with the same VAULT_SECRET/);
  });

  it('an API logs that its vault cannot be reached', async () => {
    const api = await startIn(
      await migratedDataDir(),
      { VAULT_URL: 'http://127.0.0.1:9', VAULT_SECRET: secret },
      ['api'],
    );
    await expect
      .poll(() => messagesIn(api.output()), { timeout: 30_000 })
      .toContain('Stored files, rows and passages could not be compared yet');
  });

  const secret = 'a-secret-of-the-test';

  it('a vault starts alone and reports that its vector database cannot be reached', async () => {
    const vault = await startIn(
      directory(),
      { VAULT_SECRET: secret, VECTOR_DB_URL: 'http://127.0.0.1:9' },
      ['vault'],
    );
    expect(Object.keys(vault.addresses)).toEqual(['vault']);
    expect((await fetch(`${vault.address}/health`)).status).toBe(503);
    expect((await fetch(`${vault.address}/health/system`)).status).toBe(401);
    expect(
      (
        await fetch(`${vault.address}/health/system`, {
          headers: { authorization: `Bearer ${secret}` },
        })
      ).status,
    ).toBe(200);
  });

  it.each([
    ['an unknown part', ['valut'], {}, /no part called valut.*api, vault, vector-db/],
    ['a vault without a secret', ['vault'], {}, /VAULT_SECRET/],
    ['a vector database without a secret', ['vector-db'], {}, /VAULT_SECRET/],
    [
      'an API whose vault runs elsewhere, without its secret',
      ['api'],
      { VAULT_URL: 'http://vault.example' },
      /VAULT_SECRET/,
    ],
    [
      'everything with a vector database elsewhere, without its secret',
      [],
      { VECTOR_DB_URL: 'http://vectors.example' },
      /VAULT_SECRET/,
    ],
  ])('the start of %s fails with one message and code 1', async (_, part, settings, pattern) => {
    const { ended, stderr } = run(
      serverProgram(),
      { ...freePorts, DATA_DIR: directory(), ...settings },
      part,
    );
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(pattern);
    expect(stderr()).not.toMatch(/\n\s+at /);
  });
});

describe('commands without arguments', () => {
  it.each([
    ['seed.ts', 'npm run seed'],
    ['rotate-receipt-key.ts', 'npm run receipt:rotate'],
    ['check-counters.ts', 'npm run check:counters'],
  ])('%s --help prints the usage, and does nothing', async (file, usage) => {
    const data = directory();
    const { ended, stderr, stdout } = run(`src/commands/${file}`, { DATA_DIR: data }, ['--help']);
    expect(await ended).toBe(1);
    expect(stdout()).toBe('');
    expect(stderr()).toMatch(new RegExp(`^Usage: ${usage}`));
    expect(readdirSync(data)).toEqual([]);
  });
});

describe('npm run seed', () => {
  it('seed prints one JSON object with working keys and passwords; a second run is rejected', async () => {
    const data = directory();
    const settings = { DATA_DIR: data };
    const first = run('src/commands/seed.ts', settings, ['--json']);
    expect(await first.ended).toBe(0);
    const { organizations } = JSON.parse(first.stdout());
    expect(organizations.map(({ slug }: { slug: string }) => slug)).toEqual([
      'partner',
      'rival',
      'plain',
    ]);
    for (const organization of organizations) {
      expect(Object.keys(organization).sort()).toEqual([
        'assistants',
        'features',
        'id',
        'organizationKey',
        'slug',
        'teams',
        'users',
      ]);
      expect(organization.users.map(({ role }: { role: string }) => role)).toEqual([
        'admin',
        'editor',
        'viewer',
        'outsider',
      ]);
      for (const user of organization.users)
        expect(Object.keys(user).sort()).toEqual(['email', 'id', 'password', 'role', 'userKey']);
      expect(
        organization.teams.filter(({ isDefault }: { isDefault: boolean }) => isDefault),
      ).toHaveLength(1);
      expect(organization.assistants.map(({ name }: { name: string }) => name)).toEqual([
        'Handbook',
        'Drafts',
      ]);
    }
    const again = run('src/commands/seed.ts', settings, ['--json']);
    expect(await again.ended).toBe(1);
    expect(again.stdout()).toBe('');
    expect(again.stderr()).toMatch(/already/);

    const server = await startIn(data);
    expect(server.output()).not.toMatch(/sk_svc_\w/);
    const [partner, rival, plain] = organizations;
    for (const { organizationKey } of [partner, rival])
      expect(await usersOf(server.address, organizationKey)).toMatchObject({
        status: 'success',
        total: 4,
      });
    expect(await usersOf(server.address, plain.organizationKey)).toMatchObject({ status: 'error' });
    expect(await usersOf(server.address, partner.users[0].userKey)).toMatchObject({
      status: 'error',
    });
  });

  it('seed is rejected in production', async () => {
    const { ended, stderr, stdout } = run(
      'src/commands/seed.ts',
      { DATA_DIR: directory(), NODE_ENV: 'production' },
      ['--json'],
    );
    expect(await ended).toBe(1);
    expect(stdout()).toBe('');
    expect(stderr()).toMatch(/production/);
  });
});
