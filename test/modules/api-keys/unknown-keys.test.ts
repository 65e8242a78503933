import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateKey } from '../../../src/modules/api-keys/key-format.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { watchStatements } from '../../support/statements.ts';

const path = '/api/user-management/v1/users';
let app: TestApp;
let owner: TestOrganization;

beforeAll(async () => {
  // Without Redis each process counts separately.
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000', REDIS_URL: '' });
  owner = await app.organization();
});
afterAll(() => app.close());

const unknownKey = () => generateKey('ORGANIZATION').key;
const send = async (key: string, of: Pick<TestApp, 'callerWith'> = app) =>
  of.callerWith(key)('GET', path);
const statuses = async (keys: string[], of: Pick<TestApp, 'callerWith'> = app) =>
  (await Promise.all(keys.map((key) => send(key, of)))).map(({ status }) => status);

describe('invalid keys', () => {
  let twin: TestApp;
  beforeEach(async () => {
    twin = (await app.twin()) as TestApp;
  });

  it('Unknown keys are looked up sixty times per minute and network, then twice per second; beyond that the answer is 429 without a read', async () => {
    const watch = watchStatements(/^set time zone|^select set_config/);
    const { result, statements } = await watch.during(() =>
      statuses(Array.from({ length: 100 }, unknownKey), twin),
    );
    watch.stop();
    expect(result.filter((status) => status === 401).length).toBeGreaterThanOrEqual(62);
    expect(result.filter((status) => status === 401).length).toBeLessThan(80);
    expect(statements.filter((text) => text.includes('api_keys')).length).toBe(
      result.filter((status) => status === 401).length,
    );
    const rejected = (
      await Promise.all(Array.from({ length: 10 }, () => send(unknownKey(), twin)))
    ).find(({ status }) => status === 429);
    expect(rejected?.headers.get('retry-after')).toBe('1');
    expect(rejected?.body).toMatchObject({
      status: 'error',
      message: expect.stringContaining('unknown API keys'),
    });
  });

  it('A key that was not found before costs no read and answers 401', async () => {
    const key = unknownKey();
    expect((await send(key, twin)).status).toBe(401);
    const watch = watchStatements(/^set time zone|^select set_config/);
    const { result, statements } = await watch.during(() => statuses(Array(200).fill(key), twin));
    watch.stop();
    expect(new Set(result)).toEqual(new Set([401]));
    expect(statements).toEqual([]);
  });

  it('A key in use is accepted, whatever else its network sends', async () => {
    expect((await send(owner.key, twin)).status).toBe(200);
    await statuses(Array.from({ length: 100 }, unknownKey), twin);
    expect(new Set(await statuses(Array(50).fill(owner.key), twin))).toEqual(new Set([200]));
    // The key is also accepted when it must be looked up again.
    twin.contextParts.credentialsChanged();
    expect(new Set(await statuses(Array(50).fill(owner.key), twin))).toEqual(new Set([200]));
  });

  it('A key that is new to the process is accepted after at most one retry, even if its network has sent too many unknown keys', async () => {
    await statuses(Array.from({ length: 100 }, unknownKey), twin);
    let status = 0;
    for (let tried = 0; tried < 20 && status !== 200; tried += 1) {
      ({ status } = await send(owner.key, twin));
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(status).toBe(200);
  });

  it('Valid keys are not counted: a hundred new keys of an office are accepted', async () => {
    const keys = await Promise.all(
      Array.from({ length: 100 }, async () => (await owner.organizationKey()).key),
    );
    expect(new Set(await statuses(keys.slice(0, 50), twin))).toEqual(new Set([200]));
    expect(new Set(await statuses(keys.slice(50), twin))).toEqual(new Set([200]));
  });
});
