import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { assistantOf } from '../support/assistants.ts';
import { everyCall } from '../support/calls.ts';
import { expectDocumented } from '../support/openapi.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

const users = '/api/user-management/v1/users';

describe.each(everyCall)('$title', ({ method, path, template, takesBody, key, needsFeature }) => {
  const body = takesBody ? {} : undefined;

  it('The errors match the document: no key, no feature, over the limit, and an unknown id', async () => {
    const plain = await app.organization({ features: [] });
    const busy = await app.organization();
    await busy.keyOf(key);
    await app.database.prisma.apiKey.updateMany({
      where: { organizationId: busy.id },
      data: { limitPerMinute: 1 },
    });
    await busy.callWith(key, method, path, body);
    const answers = [
      await app.request(method, path),
      await busy.callWith(key, method, path, body),
      await owner.callWith(key, method, path, body),
      await plain.callWith(key, method, path, body),
    ];
    expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([401, 429]);
    if (needsFeature) expect(answers[3]?.status).toBe(403);
    for (const answer of answers) expectDocumented(answer, method, template);
  });
});

describe.each(everyCall.filter(({ takesBody, takesFile }) => takesBody && !takesFile))(
  '$title',
  ({ method, template, key }) => {
    it('The errors for a body match the document: not JSON, another type, too large', async () => {
      const ownerKey = await owner.keyOf(key);
      // The access to the assistant is checked before the body is read.
      const assistantId = await assistantOf({
        graph: async (query, variables) =>
          app.graph(await owner.keyOf('USER_KEY'), query, variables),
      });
      const path = template.replace(':assistantId', assistantId).replaceAll(/:\w+/g, 'unknown');
      const send = (text: string, type: string) =>
        app.request(method, path, {
          headers: { authorization: `Bearer ${ownerKey}`, 'content-type': type },
          body: text,
        });
      const answers = [
        await send('{', 'application/json'),
        await send('a=1', 'text/plain'),
        await send(' '.repeat(1_048_577), 'application/json'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 415, 413]);
      for (const answer of answers) expectDocumented(answer, method, path);
    });
  },
);

describe('a sequence of calls in User Management', () => {
  it('The successes and conflicts match the document', async () => {
    const statuses: number[] = [];
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await owner.manage(method, path, body);
      expectDocumented(answer, method, `/api/user-management/v1${path}`);
      statuses.push(answer.status);
      return answer.body;
    };
    const idOf = (value: unknown) => String(Object(value).id);
    const userId = idOf((await call('POST', '/users', { email: 'ada@answers.example' }))['user']);
    const teamId = idOf((await call('POST', '/teams', { name: 'Answers' }))['team']);
    await call('POST', `/teams/${teamId}/users`, { userId });
    await call('GET', `/users/${userId}`);
    await call('GET', '/users');
    await call('GET', '/teams');
    await call('DELETE', `/teams/${teamId}/users/${userId}`);
    await call('DELETE', `/teams/${teamId}`);
    await call('DELETE', `/users/${userId}`);
    await call('POST', '/users/add', { email: 'ada@answers.example' });
    expect(statuses).toEqual(Array(10).fill(200));
    await call('POST', '/users/add', { email: 'ada@answers.example' });
    await call('DELETE', `/users/${owner.administratorId}`);
    await call('DELETE', `/teams/${owner.defaultTeamId}`);
    expect(statuses.slice(10)).toEqual([409, 403, 403]);
  });

  it('The errors for unknown resources match the document', async () => {
    for (const [method, path] of [
      ['PUT', users],
      ['GET', '/api/unknown'],
    ] as const)
      expectDocumented(await owner.call(method, path), method, path);
  });
});

describe('the helper expectDocumented', () => {
  const headers = (more: Record<string, string> = {}) =>
    new Headers({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'x',
      ...more,
    });
  const limit = {
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
    'x-ratelimit-reset': '1800000000',
  };
  const body = { status: 'success', users: [], total: 0, page: 1, pageSize: 20, totalPages: 0 };
  const fine = { status: 200, headers: headers(limit), body };

  it('A documented response passes, also with additional fields', () => {
    expectDocumented({ ...fine, body: { ...body, later: true } }, 'GET', users);
    expectDocumented(
      {
        status: 500,
        headers: headers(),
        body: { status: 'error', message: 'x', code: 'INTERNAL', requestId: 'x' },
      },
      'GET',
      users,
    );
  });

  it.each([
    ['a status that the call does not have', { ...fine, status: 201 }],
    ['a field that is missing', { ...fine, body: { ...body, total: undefined } }],
    ['a field of another type', { ...fine, body: { ...body, total: '0' } }],
    ['another envelope', { ...fine, body: { ...body, status: 'ok' } }],
    ['an item that is not one', { ...fine, body: { ...body, users: [{ id: 'x' }] } }],
    ['a header that is missing', { ...fine, headers: headers() }],
    [
      'a header that is no number',
      { ...fine, headers: headers({ ...limit, 'x-ratelimit-limit': 'many' }) },
    ],
    [
      'another content type',
      { ...fine, headers: headers({ ...limit, 'content-type': 'text/html' }) },
    ],
    [
      'an error without a message',
      {
        status: 400,
        headers: headers(limit),
        body: { status: 'error', code: 'BAD_INPUT', requestId: 'x' },
      },
    ],
  ])('The helper rejects %s', (_, answer) => {
    expect(() => expectDocumented(answer, 'GET', users)).toThrow();
  });

  it('The helper rejects a call that is not documented', () => {
    expect(() => expectDocumented(fine, 'GET', '/api/user-management/v1/unknown')).toThrow();
    expect(() => expectDocumented(fine, 'PUT', users)).toThrow();
  });
});
