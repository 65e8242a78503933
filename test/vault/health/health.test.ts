import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, healthyVectorDb, testVault, vaultSecret } from '../../support/vault.ts';

type TestVault = Awaited<ReturnType<typeof testVault>>;

const monitoringPaths = ['/health/system', '/health/ratelimit'];
const monitoringOff =
  'logging: { system_monitoring_interval: 0, storage_monitoring_interval: 0, database_monitoring_interval: 0 }';
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let vectorDb: Awaited<ReturnType<typeof healthyVectorDb>>;
let monitored: TestVault;
let unmonitored: TestVault;

beforeAll(async () => {
  vectorDb = await healthyVectorDb();
  monitored = await testVault({ vectorDbUrl: vectorDb.url });
  unmonitored = await testVault({ yaml: monitoringOff, vectorDbUrl: vectorDb.url });
});
afterAll(async () => {
  await monitored.close();
  await unmonitored.close();
  await vectorDb.stop();
});

describe('/health', () => {
  it('/health answers without a secret, with monitoring on or off', async () => {
    for (const vault of [monitored, unmonitored]) {
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

  it('/health answers in the format health+json on request', async () => {
    const { status, headers, body } = await monitored.request('GET', '/health', {
      accept: 'application/health+json',
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/health\+json/);
    expect(body).toMatchObject({
      status: 'pass',
      checks: {
        'vectorDb:responseTime': [
          { status: 'pass', observedUnit: 'ms', time: expect.stringMatching(isoDate) },
        ],
      },
    });
    expect(
      (await monitored.request('GET', '/health', { accept: '*/*' })).headers.get('content-type'),
    ).toMatch(/^application\/json/);
  });

  it('/health answers 503 while the vector database is down and 200 afterwards; the other routes keep answering', async () => {
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

describe.each(monitoringPaths)('%s', (path) => {
  it(`${path} answers 401 without the right secret, with monitoring monitored or monitoringOff`, async () => {
    for (const vault of [monitored, unmonitored]) {
      for (const headers of [
        {},
        bearer('wrong'),
        bearer(vaultSecret.slice(0, -1)),
        bearer(''),
        { authorization: vaultSecret },
        { authorization: `Basic ${vaultSecret}` },
      ]) {
        const { status, body, headers: answerHeaders } = await vault.request('GET', path, headers);
        expect({ status, body }).toEqual({
          status: 401,
          body: { status: 'error', message: expect.any(String) },
        });
        expect(answerHeaders.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it(`${path} answers 404 with the secret if monitoring is monitoringOff`, async () => {
    expect(await unmonitored.request('GET', path)).toMatchObject({
      status: 404,
      body: { status: 'error' },
    });
  });
});

describe('/health/system', () => {
  it('/health/system reports processor, memory, disks, database and process with the age of each sample', async () => {
    const { status, body } = await monitored.request('GET', '/health/system');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'healthy',
      timestamp: expect.stringMatching(isoDate),
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
          { sampledAt: expect.stringMatching(isoDate), ageSeconds: expect.any(Number) },
        ]),
      ),
    });
    const { memory, cpu } = body;
    expect(memory.usedBytes + memory.freeBytes).toBe(memory.totalBytes);
    for (const percent of [memory.usagePercent, cpu.usagePercent])
      expect(percent).toSatisfy((value: number) => value >= 0 && value <= 100);
  });

  it('/health/system answers with the latest samples and takes no new ones', async () => {
    const sampleRequests = () => vectorDb.requests.filter(({ url }) => url === '/v1/meta').length;
    const [first, before] = [
      (await monitored.request('GET', '/health/system')).body,
      sampleRequests(),
    ];
    for (let call = 0; call < 20; call += 1)
      expect(
        (await monitored.request('GET', '/health/system')).body['samples'].system.sampledAt,
      ).toBe(first.samples.system.sampledAt);
    expect(sampleRequests()).toBe(before);
  });

  it.each([
    ['system_monitoring_interval', ['cpu', 'memory', 'process'], 'system'],
    ['storage_monitoring_interval', ['storage'], 'storage'],
    ['database_monitoring_interval', ['database'], 'database'],
  ])('The setting %s: 0 removes only its own sections', async (setting, sections, sample) => {
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

  it('The vector database is not sampled if its monitoring is switched off', async () => {
    const database = await healthyVectorDb();
    const vault = await testVault({ yaml: monitoringOff, vectorDbUrl: database.url });
    await vault.request('GET', '/health');
    const sampleRequests = database.requests.map(({ url }) => url);
    expect(sampleRequests).toContain('/v1/.well-known/ready');
    expect(sampleRequests).not.toContain('/v1/meta');
    await vault.close();
    await database.stop();
  });
});

describe('/health/ratelimit', () => {
  it('/health/ratelimit reports the remaining calls and is not counted itself', async () => {
    const vault = await testVault({
      yaml: 'rate_limit: { requests_per_minute: 3 }',
      vectorDbUrl: vectorDb.url,
    });
    for (const path of [...monitoringPaths, ...monitoringPaths, '/health', '/metrics'])
      expect((await vault.request('GET', path)).status).toBe(200);
    const unused = (await vault.request('GET', '/health/ratelimit')).body;
    expect(unused).toEqual({
      status: 'healthy',
      timestamp: expect.stringMatching(isoDate),
      limit: 3,
      remaining: 3,
      used: 0,
      reset: expect.any(Number),
      windowSeconds: 60,
      limited: false,
      blockedTotal: 0,
    });
    // Calls to unknown paths are counted; calls with a wrong secret are not.
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

describe('all routes of the vault', () => {
  it('Every answer has a request id, and an unknown path or method is reported', async () => {
    expect(await monitored.request('GET', '/nothing')).toMatchObject({
      status: 404,
      body: { status: 'error' },
    });
    expect((await monitored.request('GET', '/nothing', {})).status).toBe(401);
    const refused = await monitored.request('POST', '/health');
    expect(refused).toMatchObject({ status: 405, body: { status: 'error' } });
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await monitored.request('GET', '/health/')).status).toBe(200);
    expect((await monitored.request('GET', '//health')).status).toBe(404);
  });

  it('The log contains no secret', async () => {
    for (const secret of [vaultSecret, 'a-wrong-one-of-the-test'])
      await monitored.request('GET', '/health/system', bearer(secret));
    expect(monitored.lines.length).toBeGreaterThan(0);
    for (const secret of [vaultSecret, 'a-wrong-one-of-the-test'])
      expect(monitored.lines.join('')).not.toContain(secret);
  });
});
