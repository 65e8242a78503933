import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Viewer } from '../../src/graph/context.ts';
import { executeOnce } from '../../src/graph/idempotent-request.ts';
import type { CommittedResults } from '../../src/platform/database/database.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import {
  beginRequest,
  heartbeatEveryMs,
  keepStep,
  type RequestName,
} from '../../src/platform/idempotency/request-records.ts';
import { fingerprintOf } from '../../src/rest/idempotency-key.ts';
import { type Answer, type TestApp, type TestOrganization, testApp } from '../support/app.ts';
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

const keyed = (key: string) => ({ 'idempotency-key': key });
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed');
const remembered = (key: string) => app.database.prisma.idempotentRequest.count({ where: { key } });
const run = (statements: string) => app.database.prisma.$executeRawUnsafe(statements);
const teams = (name: string) =>
  app.database.prisma.team.count({ where: { name, organizationId: owner.id } });
const audited = (name: string) =>
  app.database.prisma.auditEntry.count({
    where: { organizationId: owner.id, changes: { path: ['name'], equals: name } },
  });

describe('a request that comes again with its Idempotency-Key', () => {
  it('is answered as the first time, to the byte, and says so', async () => {
    const first = await owner.manage('POST', '/teams', { name: 'Again' }, keyed('again'));
    const second = await owner.manage('POST', '/teams', { name: 'Again' }, keyed('again'));
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([
      200,
      null,
      200,
      'true',
    ]);
    expect(second.text).toBe(first.text);
    expect([await teams('Again'), await audited('Again')]).toEqual([1, 1]);
  });

  it('is answered as the first time though the resource has changed since, or is gone', async () => {
    const first = await owner.manage('POST', '/teams', { name: 'Gone' }, keyed('gone'));
    await app.database.prisma.team.deleteMany({ where: { name: 'Gone' } });
    expect(await owner.manage('POST', '/teams', { name: 'Gone' }, keyed('gone'))).toMatchObject({
      status: 200,
      text: first.text,
    });
  });

  it('carries its own request id and is counted by the limit', async () => {
    const [first, second] = [
      await owner.manage('POST', '/teams', { name: 'Counted' }, keyed('counted')),
      await owner.manage('POST', '/teams', { name: 'Counted' }, keyed('counted')),
    ];
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(Number(second.headers.get('x-ratelimit-remaining'))).toBe(
      Number(first.headers.get('x-ratelimit-remaining')) - 1,
    );
  });

  it('D8: is the same with a slash at the end, and with another key of the organization', async () => {
    const first = await owner.manage('POST', '/teams', { name: 'Slash' }, keyed('slash'));
    const { key } = await owner.organizationKey();
    expect(
      await app.callerWith(key)('POST', `${base}/teams/`, { name: 'Slash' }, keyed('slash')),
    ).toMatchObject({ status: 200, text: first.text });
  });

  it('with another body, path or method is 422, and does nothing', async () => {
    await owner.manage('POST', '/teams', { name: 'Other' }, keyed('other'));
    const count = await app.database.prisma.auditEntry.count();
    for (const [path, body] of [
      ['/teams', { name: 'Another' }],
      ['/teams', { name: 'Other', more: 1 }],
      ['/users', { email: 'other@idempotency.example' }],
      [`/teams/${owner.defaultTeamId}/users`, { userId: owner.administratorId }],
    ] as const) {
      const answer = await owner.manage('POST', path, body, keyed('other'));
      expect(answer).toMatchObject({
        status: 422,
        body: { status: 'error', message: expect.stringContaining('Idempotency-Key') },
      });
    }
    expect(await app.database.prisma.auditEntry.count()).toBe(count);
    expect(fingerprint({}, 'PUT')).not.toEqual(fingerprint({}, 'PATCH'));
  });

  it('is compared byte by byte: the same JSON with a blank more is another body', async () => {
    const send = (body: string) =>
      app.request('POST', `${base}/teams`, {
        headers: {
          authorization: `Bearer ${owner.key}`,
          'content-type': 'application/json',
          ...keyed('blank'),
        },
        body,
      });
    expect([
      (await send('{"name":"Blank"}')).status,
      (await send('{"name": "Blank"}')).status,
      (await send('{"name":"Blank"}')).status,
    ]).toEqual([200, 422, 200]);
  });

  it('from another organization is another request', async () => {
    const other = await app.organization();
    const [ours, theirs] = [
      await owner.manage('POST', '/teams', { name: 'Tenants' }, keyed('tenants')),
      await other.manage('POST', '/teams', { name: 'Tenants' }, keyed('tenants')),
    ];
    expect([theirs.status, replayed(theirs), theirs.text === ours.text]).toEqual([
      200,
      null,
      false,
    ]);
  });

  it('from another person of the organization is another request', async () => {
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

  it('after 24 hours is a new request, and what was kept for it is removed without a clean-up job', async () => {
    const create = (name: string, key: string) =>
      owner.manage('POST', '/teams', { name }, keyed(key));
    // A new request takes ten rows along at most; those of the other tests would be among them.
    await app.database.prisma.idempotentRequest.deleteMany();
    await create('Day', 'day');
    await create('Day after', 'day-after');
    now += dayMs - 1;
    expect(replayed(await create('Day', 'day'))).toBe('true');
    now += 1;
    const anew = await create('Next day', 'day');
    expect([anew.status, replayed(anew), await remembered('day-after')]).toEqual([200, null, 0]);
  });
});

describe('an Idempotency-Key', () => {
  it('of 255 printable characters is taken; a longer one, an empty one, and other characters are 400', async () => {
    const longest = '!~'.repeat(127).padEnd(255, 'x');
    expect((await owner.manage('POST', '/teams', { name: 'Longest' }, keyed(longest))).status).toBe(
      200,
    );
    for (const key of [`${longest}x`, '', 'a b', 'a\tb', 'é', 'a, b']) {
      const answer = await owner.manage('POST', '/teams', { name: 'Malformed' }, keyed(key));
      expect({ key, ...answer }).toMatchObject({
        key,
        status: 400,
        body: { status: 'error', message: expect.stringContaining('Idempotency-Key') },
      });
    }
    expect(await teams('Malformed')).toBe(0);
  });

  it('means nothing to GET and DELETE', async () => {
    const { id } = Object(
      Object((await owner.manage('POST', '/teams', { name: 'Deleted' })).body)['team'],
    );
    const answers = [
      await owner.manage('GET', '/teams', undefined, keyed('read')),
      await owner.manage('DELETE', `/teams/${id}`, undefined, keyed('read')),
      await owner.manage('DELETE', `/teams/${id}`, undefined, keyed('read')),
      await owner.manage('GET', '/teams', undefined, keyed('not a key')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    expect(await remembered('read')).toBe(0);
  });
});

describe('what was refused or failed', () => {
  it('is not kept: the same key is free for a better request', async () => {
    const without = await app.organization({ features: [] });
    const post = (key: string, body: string, headers: Record<string, string> = {}) =>
      app.request('POST', `${base}/teams`, {
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...keyed('refused'),
          ...headers,
        },
        body,
      });
    const good = '{"name":"Refused"}';
    const refusals = [
      await post(`${owner.key}x`, good),
      await post(without.key, good),
      await post(owner.key, '{"name":3}'),
      await post(owner.key, '{'),
      await post(owner.key, good, { 'content-type': 'text/plain' }),
      await post(owner.key, good.padEnd(1_048_577)),
      await owner.manage(
        'POST',
        '/users/add',
        { email: 'nobody@idempotency.example' },
        keyed('refused'),
      ),
      await owner.manage('POST', '/teams', { name: 'Everyone' }, keyed('refused')),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 403, 400, 400, 415, 413, 404, 409]);
    expect(await remembered('refused')).toBe(0);
    const answer = await post(owner.key, good);
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
  });

  it('by the limit is not kept', async () => {
    const limited = await testApp({ ORGANIZATION_KEY_LIMIT: '1' });
    try {
      const { manage } = await limited.organization();
      await manage('GET', '/teams');
      expect((await manage('POST', '/teams', { name: 'Limited' }, keyed('limited'))).status).toBe(
        429,
      );
      expect(await limited.database.prisma.idempotentRequest.count()).toBe(0);
    } finally {
      await limited.close();
    }
  });

  it('by a fault of ours is not kept, and has changed nothing', async () => {
    const create = () => owner.manage('POST', '/teams', { name: 'Fault' }, keyed('fault'));
    const failed = await withTrigger(
      app.database,
      'before insert on audit_entries',
      "raise exception 'broken';",
      create,
    );
    expect([failed.status, await teams('Fault'), await remembered('fault')]).toEqual([500, 0, 0]);
    const answer = await create();
    expect([answer.status, replayed(answer), await teams('Fault')]).toEqual([200, null, 1]);
  });

  it('by a transaction that lost a race is tried again under the same key, once to its end', async () => {
    await run('create sequence tries');
    const lost =
      "if nextval('tries') < 3 then raise exception 'again' using errcode = '40001'; end if; return new;";
    const answer = await withTrigger(app.database, 'before insert on audit_entries', lost, () =>
      owner.manage('POST', '/teams', { name: 'Race' }, keyed('race')),
    );
    await run('drop sequence tries');
    expect([answer.status, await teams('Race'), await audited('Race')]).toEqual([200, 1, 1]);
    expect((await owner.manage('POST', '/teams', { name: 'Race' }, keyed('race'))).text).toBe(
      answer.text,
    );
  });
});

describe('a hundred at once with one key, over two processes', () => {
  it.each([
    ['/api/sponsorship/v1/campaigns', { name: 'Hundred', durationMonths: 3 }],
    [`${base}/teams`, { name: 'Hundred' }],
    [`${base}/users`, { email: 'hundred@idempotency.example' }],
    [`${base}/users/add`, { email: 'add@idempotency.example' }],
  ])('POST %s is done once, with one body for all', async (path, body) => {
    if (path.endsWith('/add')) await (await app.organization()).member('add@idempotency.example');
    const twin = await app.twin();
    const before = await app.database.prisma.auditEntry.count();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        [app, twin][index % 2]?.callerWith(owner.key)('POST', path, body, keyed(`hundred${path}`)),
      ),
    );
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1);
    expect(answers.filter((answer) => answer && replayed(answer) === null)).toHaveLength(1);
    expect((await app.database.prisma.auditEntry.count()) - before).toBe(1);
  });
});

describe('a request that another process runs', () => {
  const named = (key: string): RequestName => ({ organizationId: owner.id, userId: '', key });
  const begin = (key: string, body: unknown) =>
    beginRequest(named(key), fingerprint(body), new Date(now), app);
  const die = (key: string) =>
    app.database.prisma.idempotentRequest.updateMany({
      where: { key },
      data: { aliveUntil: new Date(0) },
    });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is waited for, then 409 with Retry-After; once that process has died it is run', async () => {
    const create = () => owner.manage('POST', '/teams', { name: 'Running' }, keyed('running'));
    await begin('running', { name: 'Running' });
    const early = await create();
    expect(early).toMatchObject({
      status: 409,
      body: { status: 'error', message: expect.stringContaining('still running') },
    });
    expect(early.headers.get('retry-after')).toBe('1');
    await die('running');
    const late = await create();
    expect([late.status, replayed(late)]).toEqual([200, null]);
  });

  it('is 422 at once for another body', async () => {
    await begin('running-other', { name: 'One' });
    expect(
      (await owner.manage('POST', '/teams', { name: 'Two' }, keyed('running-other'))).status,
    ).toBe(422);
  });

  it('can write no more once another has taken over', async () => {
    const slow = await begin('slow', { name: 'Slow' });
    if (!slow) throw new Error('it was free');
    await die('slow');
    expect((await owner.manage('POST', '/teams', { name: 'Slow' }, keyed('slow'))).status).toBe(
      200,
    );
    const steps: CommittedResults = {
      earlier: [],
      keep: (tx, result) => keepStep(slow, result, tx),
    };
    const data = {
      id: randomUUID(),
      organizationId: owner.id,
      name: 'Too late',
      nameKey: 'too late',
    };
    await expect(
      inTransaction({ ...app.database, steps }, (tx) => tx.team.create({ data })),
    ).rejects.toMatchObject({ code: 'STILL_RUNNING' });
    expect(await teams('Too late')).toBe(0);
  });

  it('says that it is alive for as long as it takes', async () => {
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
        await die('long');
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

describe('what is kept', () => {
  it('of a body is a hash that only this installation can make, so that a password in it can not be guessed from the database', () => {
    const request = { method: 'PATCH', pathname: '/x', body: Buffer.from('{"password":"short"}') };
    expect(fingerprintOf('one secret', request)).not.toEqual(
      fingerprintOf('another secret', request),
    );
  });

  it('goes with its organization, and holds no request body', async () => {
    const leaving = await app.organization();
    await leaving.manage(
      'POST',
      '/users',
      { email: 'leaving@idempotency.example', password: 'secret-word' },
      keyed('leaving'),
    );
    const [row] = await app.database.prisma.$queryRaw<
      { text: string }[]
    >`select r::text as text from idempotent_requests r where key = 'leaving'`;
    expect(row?.text).not.toContain('secret-word');
    await app.database.prisma.organization.delete({ where: { id: leaving.id } });
    expect(await remembered('leaving')).toBe(0);
  });
});
