import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Viewer } from '../../src/access/context.ts';
import { executeOnce } from '../../src/access/idempotent-request.ts';
import type { CommittedResults } from '../../src/platform/database/database.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import {
  heartbeatEveryMs,
  type RequestName,
  saveStep,
  startRequest,
} from '../../src/platform/idempotency/request-records.ts';
import { fingerprintOf } from '../../src/rest/idempotency-key.ts';
import { type TestApp, type TestOrganization, type TestResponse, testApp } from '../support/app.ts';
import { withTrigger } from '../support/trigger.ts';

const dayMs = 24 * 60 * 60 * 1000;
const base = '/api/user-management/v1';
const secret = 'the same for every process of these tests';
const fingerprint = (body: unknown, method = 'POST', pathname = `${base}/teams`) =>
  fingerprintOf(secret, { method, pathname, body: Buffer.from(JSON.stringify(body)) });

let app: TestApp;
let owner: TestOrganization;
let now = Date.now();
beforeAll(async () => {
  app = await testApp(
    { ORGANIZATION_KEY_LIMIT: '100000', AUTH_SECRET: secret },
    { clock: () => new Date(now) },
  );
  owner = await app.organization();
});
afterAll(() => app.close());

const withKey = (key: string) => ({ 'idempotency-key': key });
const replayed = ({ headers }: TestResponse) => headers.get('idempotency-replayed');
const countStored = (key: string) =>
  app.database.prisma.idempotentRequest.count({ where: { key } });
const runSql = (statements: string) => app.database.prisma.$executeRawUnsafe(statements);
const teams = (name: string) =>
  app.database.prisma.team.count({ where: { name, organizationId: owner.id } });
const audited = (name: string) =>
  app.database.prisma.auditEntry.count({
    where: { organizationId: owner.id, changes: { path: ['name'], equals: name } },
  });

describe('a repeated request with an Idempotency-Key', () => {
  it('A repetition gets the same bytes as the first response, with Idempotency-Replayed', async () => {
    const first = await owner.manage('POST', '/teams', { name: 'Again' }, withKey('again'));
    const second = await owner.manage('POST', '/teams', { name: 'Again' }, withKey('again'));
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([
      200,
      null,
      200,
      'true',
    ]);
    expect(second.text).toBe(first.text);
    expect([await teams('Again'), await audited('Again')]).toEqual([1, 1]);
  });

  it('A repetition gets the first response even if the resource was changed or deleted since', async () => {
    const first = await owner.manage('POST', '/teams', { name: 'Gone' }, withKey('gone'));
    await app.database.prisma.team.deleteMany({ where: { name: 'Gone' } });
    expect(await owner.manage('POST', '/teams', { name: 'Gone' }, withKey('gone'))).toMatchObject({
      status: 200,
      text: first.text,
    });
  });

  it('A repetition has a new request id and counts against the limit', async () => {
    const [first, second] = [
      await owner.manage('POST', '/teams', { name: 'Counted' }, withKey('counted')),
      await owner.manage('POST', '/teams', { name: 'Counted' }, withKey('counted')),
    ];
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(Number(second.headers.get('x-ratelimit-remaining'))).toBe(
      Number(first.headers.get('x-ratelimit-remaining')) - 1,
    );
  });

  it('A repetition may add a slash at the end of the path and use another key of the organization', async () => {
    const first = await owner.manage('POST', '/teams', { name: 'Slash' }, withKey('slash'));
    const { key } = await owner.organizationKey();
    expect(
      await app.callerWith(key)('POST', `${base}/teams/`, { name: 'Slash' }, withKey('slash')),
    ).toMatchObject({ status: 200, text: first.text });
  });

  it('Another body, path or method answers 422 and changes nothing', async () => {
    await owner.manage('POST', '/teams', { name: 'Other' }, withKey('other'));
    const count = await app.database.prisma.auditEntry.count();
    for (const [path, body] of [
      ['/teams', { name: 'Another' }],
      ['/teams', { name: 'Other', more: 1 }],
      ['/users', { email: 'other@idempotency.example' }],
      [`/teams/${owner.defaultTeamId}/users`, { userId: owner.administratorId }],
    ] as const) {
      const answer = await owner.manage('POST', path, body, withKey('other'));
      expect(answer).toMatchObject({
        status: 422,
        body: { status: 'error', message: expect.stringContaining('Idempotency-Key') },
      });
    }
    expect(await app.database.prisma.auditEntry.count()).toBe(count);
    expect(fingerprint({}, 'PUT')).not.toEqual(fingerprint({}, 'PATCH'));
  });

  it('Bodies are compared byte by byte: the same JSON with an additional blank is another body', async () => {
    const send = (body: string) =>
      app.request('POST', `${base}/teams`, {
        headers: {
          authorization: `Bearer ${owner.key}`,
          'content-type': 'application/json',
          ...withKey('blank'),
        },
        body,
      });
    expect([
      (await send('{"name":"Blank"}')).status,
      (await send('{"name": "Blank"}')).status,
      (await send('{"name":"Blank"}')).status,
    ]).toEqual([200, 422, 200]);
  });

  it('The same key from another organization is another request', async () => {
    const other = await app.organization();
    const [ownAnswer, otherAnswer] = [
      await owner.manage('POST', '/teams', { name: 'Tenants' }, withKey('tenants')),
      await other.manage('POST', '/teams', { name: 'Tenants' }, withKey('tenants')),
    ];
    expect([
      otherAnswer.status,
      replayed(otherAnswer),
      otherAnswer.text === ownAnswer.text,
    ]).toEqual([200, null, false]);
  });

  it('The same key from another person of the organization is another request', async () => {
    const as = (userId: string): Viewer => ({
      kind: 'USER_KEY',
      keyId: randomUUID(),
      userId,
      organizationId: owner.id,
      isAdmin: false,
      limitPerMinute: null,
      features: new Set<string>(),
    });
    const ask = (userId: string, text: string) =>
      executeOnce(
        {
          context: { ...app.contextParts, requestId: 'x', viewer: as(userId) },
          key: 'people',
          fingerprint: fingerprint({}),
        },
        async () => text,
      );
    expect([await ask('ada', 'hers'), await ask('emil', 'his'), await ask('ada', 'again')]).toEqual(
      [
        { text: 'hers', replayed: false },
        { text: 'his', replayed: false },
        { text: 'hers', replayed: true },
      ],
    );
  });

  it('After 24 hours the key is a new request, and the stored response is deleted without a clean-up job', async () => {
    const create = (name: string, key: string) =>
      owner.manage('POST', '/teams', { name }, withKey(key));
    // A new request deletes at most ten expired rows, and those of the other tests would be among
    // them.
    await app.database.prisma.idempotentRequest.deleteMany();
    await create('Day', 'day');
    await create('Day after', 'day-after');
    now += dayMs - 1;
    expect(replayed(await create('Day', 'day'))).toBe('true');
    now += 1;
    const newRequest = await create('Next day', 'day');
    expect([newRequest.status, replayed(newRequest), await countStored('day-after')]).toEqual([
      200,
      null,
      0,
    ]);
  });
});

describe('the format of an Idempotency-Key', () => {
  it('A key has 1 to 255 printable characters; every other key answers 400', async () => {
    const longest = '!~'.repeat(127).padEnd(255, 'x');
    expect(
      (await owner.manage('POST', '/teams', { name: 'Longest' }, withKey(longest))).status,
    ).toBe(200);
    for (const key of [`${longest}x`, '', 'a b', 'a\tb', 'é', 'a, b']) {
      const answer = await owner.manage('POST', '/teams', { name: 'Malformed' }, withKey(key));
      expect({ key, ...answer }).toMatchObject({
        key,
        status: 400,
        body: { status: 'error', message: expect.stringContaining('Idempotency-Key') },
      });
    }
    expect(await teams('Malformed')).toBe(0);
  });

  it('GET and DELETE ignore the key', async () => {
    const { id } = Object(
      Object((await owner.manage('POST', '/teams', { name: 'Deleted' })).body)['team'],
    );
    const answers = [
      await owner.manage('GET', '/teams', undefined, withKey('read')),
      await owner.manage('DELETE', `/teams/${id}`, undefined, withKey('read')),
      await owner.manage('DELETE', `/teams/${id}`, undefined, withKey('read')),
      await owner.manage('GET', '/teams', undefined, withKey('not a key')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    expect(await countStored('read')).toBe(0);
  });
});

describe('a failed request with an Idempotency-Key', () => {
  it('An error is not stored: the same key can be used for a corrected request', async () => {
    const withoutFeature = await app.organization({ features: [] });
    const post = (key: string, body: string, headers: Record<string, string> = {}) =>
      app.request('POST', `${base}/teams`, {
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...withKey('refused'),
          ...headers,
        },
        body,
      });
    const validBody = '{"name":"Refused"}';
    const errors = [
      await post(`${owner.key}x`, validBody),
      await post(withoutFeature.key, validBody),
      await post(owner.key, '{"name":3}'),
      await post(owner.key, '{'),
      await post(owner.key, validBody, { 'content-type': 'text/plain' }),
      await post(owner.key, validBody.padEnd(1_048_577)),
      await owner.manage(
        'POST',
        '/users/add',
        { email: 'nobody@idempotency.example' },
        withKey('refused'),
      ),
      await owner.manage('POST', '/teams', { name: 'Everyone' }, withKey('refused')),
    ];
    expect(errors.map(({ status }) => status)).toEqual([401, 403, 400, 400, 415, 413, 404, 409]);
    expect(await countStored('refused')).toBe(0);
    const answer = await post(owner.key, validBody);
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
  });

  it('A response of the rate limit is not stored', async () => {
    const limited = await testApp({ ORGANIZATION_KEY_LIMIT: '1' });
    try {
      const { manage } = await limited.organization();
      await manage('GET', '/teams');
      expect((await manage('POST', '/teams', { name: 'Limited' }, withKey('limited'))).status).toBe(
        429,
      );
      expect(await limited.database.prisma.idempotentRequest.count()).toBe(0);
    } finally {
      await limited.close();
    }
  });

  it('An internal error is not stored and has changed nothing', async () => {
    const create = () => owner.manage('POST', '/teams', { name: 'Fault' }, withKey('fault'));
    const failed = await withTrigger(
      app.database,
      'before insert on audit_entries',
      "raise exception 'broken';",
      create,
    );
    expect([failed.status, await teams('Fault'), await countStored('fault')]).toEqual([500, 0, 0]);
    const answer = await create();
    expect([answer.status, replayed(answer), await teams('Fault')]).toEqual([200, null, 1]);
  });

  it('A transaction that lost a race is retried under the same key until it succeeds', async () => {
    await runSql('create sequence tries');
    const lostRaceBody =
      "if nextval('tries') < 3 then raise exception 'again' using errcode = '40001'; end if; return new;";
    const answer = await withTrigger(
      app.database,
      'before insert on audit_entries',
      lostRaceBody,
      () => owner.manage('POST', '/teams', { name: 'Race' }, withKey('race')),
    );
    await runSql('drop sequence tries');
    expect([answer.status, await teams('Race'), await audited('Race')]).toEqual([200, 1, 1]);
    expect((await owner.manage('POST', '/teams', { name: 'Race' }, withKey('race'))).text).toBe(
      answer.text,
    );
  });
});

describe('a hundred concurrent requests with one key in two processes', () => {
  it.each([
    ['/api/sponsorship/v1/campaigns', { name: 'Hundred', durationMonths: 3 }],
    [`${base}/teams`, { name: 'Hundred' }],
    [`${base}/users`, { email: 'hundred@idempotency.example' }],
    [`${base}/users/add`, { email: 'add@idempotency.example' }],
  ])('POST %s is executed once, and all requests get the same body', async (path, body) => {
    if (path.endsWith('/add')) await (await app.organization()).member('add@idempotency.example');
    const twin = await app.twin();
    const before = await app.database.prisma.auditEntry.count();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        [app, twin][index % 2]?.callerWith(owner.key)(
          'POST',
          path,
          body,
          withKey(`hundred${path}`),
        ),
      ),
    );
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1);
    expect(answers.filter((answer) => answer && replayed(answer) === null)).toHaveLength(1);
    expect((await app.database.prisma.auditEntry.count()) - before).toBe(1);
  });
});

describe('a request that runs in another process', () => {
  const named = (key: string): RequestName => ({ organizationId: owner.id, userId: '', key });
  const begin = (key: string, body: unknown) =>
    startRequest(named(key), fingerprint(body), new Date(now), app);
  const expireHeartbeat = (key: string) =>
    app.database.prisma.idempotentRequest.updateMany({
      where: { key },
      data: { aliveUntil: new Date(0) },
    });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('A repetition waits and then answers 409 with Retry-After; after the process has died it is executed', async () => {
    const create = () => owner.manage('POST', '/teams', { name: 'Running' }, withKey('running'));
    await begin('running', { name: 'Running' });
    const firstAnswer = await create();
    expect(firstAnswer).toMatchObject({
      status: 409,
      body: { status: 'error', message: expect.stringContaining('still running') },
    });
    expect(firstAnswer.headers.get('retry-after')).toBe('1');
    await expireHeartbeat('running');
    const secondAnswer = await create();
    expect([secondAnswer.status, replayed(secondAnswer)]).toEqual([200, null]);
  });

  it('A repetition with another body answers 422 at once', async () => {
    await begin('running-other', { name: 'One' });
    expect(
      (await owner.manage('POST', '/teams', { name: 'Two' }, withKey('running-other'))).status,
    ).toBe(422);
  });

  it('A request cannot write after another process has taken it over', async () => {
    const slowRequest = await begin('slow', { name: 'Slow' });
    if (!slowRequest) throw new Error('the key is in use');
    await expireHeartbeat('slow');
    expect((await owner.manage('POST', '/teams', { name: 'Slow' }, withKey('slow'))).status).toBe(
      200,
    );
    const committedResults: CommittedResults = {
      pending: [],
      save: (tx, result) => saveStep(slowRequest, result, tx),
    };
    await expect(
      inTransaction(
        { ...app.database, committedResults },
        (tx) => tx.sql`
          insert into teams (id, organization_id, name, name_key)
          values (${randomUUID()}, ${owner.id}, 'Too late', 'too late')`,
      ),
    ).rejects.toMatchObject({ code: 'STILL_RUNNING' });
    expect(await teams('Too late')).toBe(0);
  });

  it('A running request sends heartbeats until it ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const viewer: Viewer = {
      kind: 'ORGANIZATION_KEY',
      keyId: owner.keyId,
      organizationId: owner.id,
      limitPerMinute: null,
      features: new Set(),
    };
    await executeOnce(
      {
        context: { ...app.contextParts, requestId: 'x', viewer },
        key: 'long',
        fingerprint: fingerprint({}),
      },
      async () => {
        await expireHeartbeat('long');
        vi.advanceTimersByTime(heartbeatEveryMs);
        await vi.waitFor(async () =>
          expect(
            (await app.database.prisma.idempotentRequest.findFirst({ where: { key: 'long' } }))
              ?.aliveUntil,
          ).not.toEqual(new Date(0)),
        );
        expect(await begin('long', {})).toBeUndefined();
        return '{}';
      },
    );
  });
});

describe('the stored data of a request', () => {
  it('The body is stored as an HMAC with a secret, so a password in it cannot be guessed from the database', () => {
    const request = { method: 'PATCH', pathname: '/x', body: Buffer.from('{"password":"short"}') };
    expect(fingerprintOf('one secret', request)).not.toEqual(
      fingerprintOf('another secret', request),
    );
  });

  it('The stored data is deleted with its organization and contains no request body', async () => {
    const deletedOrganization = await app.organization();
    await deletedOrganization.manage(
      'POST',
      '/users',
      { email: 'leaving@idempotency.example', password: 'secret-word' },
      withKey('leaving'),
    );
    const [row] = await app.database.prisma.$queryRaw<
      { text: string }[]
    >`select r::text as text from idempotent_requests r where key = 'leaving'`;
    expect(row?.text).not.toContain('secret-word');
    await app.database.prisma.organization.delete({ where: { id: deletedOrganization.id } });
    expect(await countStored('leaving')).toBe(0);
  });
});
