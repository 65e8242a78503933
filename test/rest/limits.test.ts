import { afterAll, describe, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { refusalBody } from '../support/refusal-body.ts';

const app = await testApp();
afterAll(() => app.close());

describe('the rate limit of an organization key', () => {
  it('Exactly 100 of 150 concurrent requests per minute succeed, over REST and GraphQL together', async () => {
    const owner = await app.organization();
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        index % 3 === 0
          ? owner.call('POST', '/graphql', { query: '{ __typename }' })
          : owner.call('GET', '/api/user-management/v1/teams'),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
    expect(
      answers
        .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
        .sort((a, b) => a - b),
    ).toEqual([
      ...Array.from({ length: 51 }, () => 0),
      ...Array.from({ length: 99 }, (_, index) => index + 1),
    ]);
  });

  it('Every response to a valid key has the three rate limit headers, errors included', async () => {
    const owner = await app.organization();
    const before = Math.floor(Date.now() / 1000);
    const paths = ['/teams', '/users/unknown', '/users?page=0', '/users?pageSize=101'];
    for (const [index, path] of paths.entries()) {
      const { headers } = await owner.manage('GET', path);
      expect(headers.get('x-ratelimit-limit')).toBe('100');
      expect(headers.get('x-ratelimit-remaining')).toBe(String(99 - index));
      const reset = Number(headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThanOrEqual(before);
      expect(reset).toBeLessThanOrEqual(before + 62);
    }
  });

  it('A rejected request gets the time to wait', async () => {
    const owner = await app.organization();
    await Promise.all(Array.from({ length: 100 }, () => owner.manage('GET', '/teams')));
    const { status, headers, body } = await owner.manage('GET', '/teams');
    expect({ status, body }).toEqual({
      status: 429,
      body: refusalBody('RATE_LIMITED', expect.stringMatching(/rate limit/i)),
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('The limit is checked before feature, input and resource', async () => {
    const owner = await app.organization({ features: [] });
    await Promise.all(Array.from({ length: 100 }, () => owner.manage('GET', '/teams')));
    expect((await owner.manage('GET', '/users?page=0')).status).toBe(429);
  });

  it('Another key of the same organization has a separate limit', async () => {
    const owner = await app.organization();
    await Promise.all(Array.from({ length: 101 }, () => owner.manage('GET', '/teams')));
    const other = app.callerWith((await owner.organizationKey()).key);
    expect((await other('GET', '/api/user-management/v1/teams')).status).toBe(200);
  });

  it('The limit of one key can be set', async () => {
    const owner = await app.organization();
    const { id, key } = await owner.organizationKey();
    await app.database.prisma.apiKey.update({ where: { id }, data: { limitPerMinute: 2 } });
    const statuses = [];
    for (let index = 0; index < 3; index += 1)
      statuses.push((await app.callerWith(key)('GET', '/api/user-management/v1/teams')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
