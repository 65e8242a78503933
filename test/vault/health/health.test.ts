import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, healthyVectorDb, testVault, vaultSecret } from '../../support/vault.ts';

type Vault = Awaited<ReturnType<typeof testVault>>;

const watched = ['/health/system', '/health/ratelimit'];
const off =
  'logging: { system_monitoring_interval: 0, storage_monitoring_interval: 0, database_monitoring_interval: 0 }';
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let vectorDb: Awaited<ReturnType<typeof healthyVectorDb>>;
let on: Vault;
let quiet: Vault;

beforeAll(async () => {
  vectorDb = await healthyVectorDb();
  on = await testVault({ vectorDbUrl: vectorDb.url });
  quiet = await testVault({ yaml: off, vectorDbUrl: vectorDb.url });
});
afterAll(async () => {
  await on.close();
  await quiet.close();
  await vectorDb.stop();
});

describe('/health', () => {
  it('answers anybody, with monitoring on or off', async () => {
    for (const vault of [on, quiet]) {
      for (const headers of [{}, bearer('wrong'), bearer(vaultSecret)]) {
        const { status, body } = await vault.request('GET', '/health', headers);
        expect(status).toBe(200);
        expect(body).toEqual({
          status: 'healthy',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          uptimeSeconds: expect.any(Number),
          checks: { vectorDb: { status: 'healthy', latencyMs: expect.any(Number) } },
        });
      }
    }
  });

  it('takes the form of health+json for who asks for it', async () => {
    const { status, headers, body } = await on.request('GET', '/health', {
      accept: 'application/health+json',
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/health\+json/);
    expect(body).toMatchObject({
      status: 'pass',
      checks: {
        'vectorDb:responseTime': [
          { status: 'pass', observedUnit: 'ms', time: expect.stringMatching(iso) },
        ],
      },
    });
    expect(
      (await on.request('GET', '/health', { accept: '*/*' })).headers.get('content-type'),
    ).toMatch(/^application\/json/);
  });

  it('is 503 while the vector database is gone, and healthy by itself when it is back; figures stay to be had', async () => {
    const database = await healthyVectorDb();
    const vault = await testVault({
      yaml: 'logging: { database_monitoring_interval: 1 }',
      vectorDbUrl: database.url,
    });
    expect((await vault.request('GET', '/health')).status).toBe(200);
    await database.stop();
    await expect
      .poll(async () => (await vault.request('GET', '/health')).status, { timeout: 60_000 })
      .toBe(503);
    expect((await vault.request('GET', '/health')).body).toMatchObject({
      status: 'unhealthy',
      checks: { vectorDb: { status: 'unhealthy', latencyMs: null } },
    });
    expect(
      (await vault.request('GET', '/health', { accept: 'application/health+json' })).body,
    ).toMatchObject({ status: 'fail' });
    await expect
      .poll(async () => (await vault.request('GET', '/health/system')).body['database'], {
        timeout: 60_000,
      })
      .toEqual({ status: 'unhealthy', documentCount: null, latencyMs: null });
    expect(await vault.request('GET', '/health/system')).toMatchObject({
      status: 200,
      body: { status: 'unhealthy' },
    });
    expect((await vault.request('GET', '/health/ratelimit')).status).toBe(200);
    await database.start();
    await expect
      .poll(async () => (await vault.request('GET', '/health')).status, { timeout: 60_000 })
      .toBe(200);
    await expect
      .poll(async () => (await vault.request('GET', '/health/system')).body['database'], {
        timeout: 60_000,
      })
      .toMatchObject({ status: 'healthy', documentCount: 7 });
    await vault.close();
    await database.stop();
  });
});

describe.each(watched)('%s', (path) => {
  it('is 401 without the right secret, whether monitoring is on or off', async () => {
    for (const vault of [on, quiet]) {
      for (const headers of [
        {},
        bearer('wrong'),
        bearer(vaultSecret.slice(0, -1)),
        bearer(''),
        { authorization: vaultSecret },
        { authorization: `Basic ${vaultSecret}` },
      ]) {
        const { status, body, headers: answered } = await vault.request('GET', path, headers);
        expect({ status, body }).toEqual({
          status: 401,
          body: { status: 'error', message: expect.any(String) },
        });
        expect(answered.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it('is 404 with the secret where monitoring is off', async () => {
    expect(await quiet.request('GET', path)).toMatchObject({
      status: 404,
      body: { status: 'error' },
    });
  });
});

describe('/health/system', () => {
  it('tells processor, memory, disks, database and process, and how old each is', async () => {
    const { status, body } = await on.request('GET', '/health/system');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'healthy',
      timestamp: expect.stringMatching(iso),
      uptimeSeconds: expect.any(Number),
      cpu: {
        usagePercent: expect.any(Number),
        cores: expect.any(Number),
        loadAverage: [expect.any(Number), expect.any(Number), expect.any(Number)],
        source: expect.any(String),
      },
      memory: {
        totalBytes: expect.any(Number),
        usedBytes: expect.any(Number),
        freeBytes: expect.any(Number),
        usagePercent: expect.any(Number),
        source: expect.stringMatching(/^(host|cgroup v[12])$/),
      },
      storage: [
        {
          path: expect.any(String),
          totalBytes: expect.any(Number),
          usedBytes: expect.any(Number),
          freeBytes: expect.any(Number),
          usagePercent: expect.any(Number),
        },
      ],
      database: { status: 'healthy', documentCount: 7, latencyMs: expect.any(Number) },
      process: {
        rssBytes: expect.any(Number),
        heapUsedBytes: expect.any(Number),
        eventLoopDelayMs: expect.any(Number),
      },
      reembedding: { done: 0, total: 0 },
      intervals: { system: 60, storage: 300, database: 60 },
      samples: Object.fromEntries(
        ['system', 'storage', 'database'].map((name) => [
          name,
          { sampledAt: expect.stringMatching(iso), ageSeconds: expect.any(Number) },
        ]),
      ),
    });
    const { memory, cpu } = body;
    expect(memory.usedBytes + memory.freeBytes).toBe(memory.totalBytes);
    for (const percent of [memory.usagePercent, cpu.usagePercent])
      expect(percent).toSatisfy((value: number) => value >= 0 && value <= 100);
  });

  it('answers from the sample that is there and takes none for a call', async () => {
    const asked = () => vectorDb.requests.filter(({ url }) => url === '/v1/meta').length;
    const [first, before] = [(await on.request('GET', '/health/system')).body, asked()];
    for (let call = 0; call < 20; call += 1)
      expect((await on.request('GET', '/health/system')).body['samples'].system.sampledAt).toBe(
        first.samples.system.sampledAt,
      );
    expect(asked()).toBe(before);
  });

  it.each([
    ['system_monitoring_interval', ['cpu', 'memory', 'process'], 'system'],
    ['storage_monitoring_interval', ['storage'], 'storage'],
    ['database_monitoring_interval', ['database'], 'database'],
  ])('leaves out what %s: 0 switches off, and nothing else', async (setting, sections, sample) => {
    const vault = await testVault({
      yaml: `logging: { ${setting}: 0 }`,
      vectorDbUrl: vectorDb.url,
    });
    const { status, body } = await vault.request('GET', '/health/system');
    expect(status).toBe(200);
    for (const section of ['cpu', 'memory', 'process', 'storage', 'database'])
      expect([section, body[section] === null]).toEqual([section, sections.includes(section)]);
    expect(body['samples'][sample]).toBeNull();
    expect(body['intervals'][sample]).toBe(0);
    await vault.close();
  });

  it('never asks the database for its figures where that is switched off', async () => {
    const database = await healthyVectorDb();
    const vault = await testVault({ yaml: off, vectorDbUrl: database.url });
    await vault.request('GET', '/health');
    const asked = database.requests.map(({ url }) => url);
    expect(asked).toContain('/v1/.well-known/ready');
    expect(asked).not.toContain('/v1/meta');
    await vault.close();
    await database.stop();
  });
});

describe('/health/ratelimit', () => {
  it('tells how many calls are left, and is not counted itself', async () => {
    const vault = await testVault({
      yaml: 'rate_limit: { requests_per_minute: 3 }',
      vectorDbUrl: vectorDb.url,
    });
    for (const path of [...watched, ...watched, '/health', '/metrics'])
      expect((await vault.request('GET', path)).status).toBe(200);
    const untouched = (await vault.request('GET', '/health/ratelimit')).body;
    expect(untouched).toEqual({
      status: 'healthy',
      timestamp: expect.stringMatching(iso),
      limit: 3,
      remaining: 3,
      used: 0,
      reset: expect.any(Number),
      windowSeconds: 60,
      limited: false,
      blockedTotal: 0,
    });
    // A path that is not there is a call like any other; one with a wrong secret is none.
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect((await vault.request('GET', '/nothing', bearer('wrong'))).status).toBe(401);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => vault.request('GET', '/nothing')),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([404, 404, 404, 429, 429]);
    expect(
      answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).toSorted(),
    ).toEqual([0, 0, 0, 1, 2]);
    const blocked = answers.find(({ status }) => status === 429);
    expect(Number(blocked?.headers.get('retry-after'))).toSatisfy(
      (value: number) => value >= 1 && value <= 60,
    );
    expect(blocked?.headers.get('x-ratelimit-limit')).toBe('3');
    expect((await vault.request('GET', '/health/ratelimit')).body).toMatchObject({
      remaining: 0,
      used: 3,
      limited: true,
      blockedTotal: 2,
    });
    await vault.close();
  });
});

describe('every call of the vault', () => {
  it('has an id, and says of an unknown path or method what is wrong', async () => {
    expect(await on.request('GET', '/nothing')).toMatchObject({
      status: 404,
      body: { status: 'error' },
    });
    expect((await on.request('GET', '/nothing', {})).status).toBe(401);
    const refused = await on.request('POST', '/health');
    expect(refused).toMatchObject({ status: 405, body: { status: 'error' } });
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await on.request('GET', '/health/')).status).toBe(200);
    expect((await on.request('GET', '//health')).status).toBe(404);
  });

  it('leaves no secret in the log', async () => {
    for (const secret of [vaultSecret, 'a-wrong-one-of-the-test'])
      await on.request('GET', '/health/system', bearer(secret));
    expect(on.lines.length).toBeGreaterThan(0);
    for (const secret of [vaultSecret, 'a-wrong-one-of-the-test'])
      expect(on.lines.join('')).not.toContain(secret);
  });
});
