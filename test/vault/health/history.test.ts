import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, healthyVectorDb, testVault } from '../../support/vault.ts';

const path = '/health/system/history';
let vectorDb: Awaited<ReturnType<typeof healthyVectorDb>>;
let vault: Awaited<ReturnType<typeof testVault>>;

beforeAll(async () => {
  vectorDb = await healthyVectorDb();
  vault = await testVault({ vectorDbUrl: vectorDb.url });
});
afterAll(async () => {
  await vault.close();
  await vectorDb.stop();
});

describe(path, () => {
  it('The history contains the sampled values', async () => {
    // This request waits until the first sample is taken.
    await vault.request('GET', '/health/system');
    const { status, body } = await vault.request('GET', path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'healthy', minutes: 60, stepSeconds: 60 });
    const last = body.points.at(-1);
    expect(last).toMatchObject({
      at: expect.stringMatching(/:00\.000Z$/),
      cpuPercent: expect.any(Number),
      memoryPercent: expect.any(Number),
    });
    expect(last).toMatchObject({
      storagePercent: expect.any(Number),
      documentCount: 7,
      eventLoopDelayMs: expect.any(Number),
      rssBytes: expect.any(Number),
    });
  });

  it('The history answers 401 without the secret, and 404 if monitoring is off', async () => {
    for (const headers of [{}, bearer('wrong')])
      expect((await vault.request('GET', path, headers)).status).toBe(401);
    const monitoringOff =
      'logging: { system_monitoring_interval: 0, storage_monitoring_interval: 0, database_monitoring_interval: 0 }';
    const unmonitored = await testVault({ yaml: monitoringOff, vectorDbUrl: vectorDb.url });
    expect(await unmonitored.request('GET', path)).toMatchObject({
      status: 404,
      body: { status: 'error' },
    });
    await unmonitored.close();
  });

  it.each(['0', '1441', '-1', '1.5', 'abc', ''])(
    'A history of %j minutes is rejected with a message',
    async (minutes) => {
      expect(await vault.request('GET', `${path}?minutes=${minutes}`)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('minutes') },
      });
    },
  );
});
