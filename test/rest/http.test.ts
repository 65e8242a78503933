import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { everyCall } from '../support/calls.ts';
import { textWithoutRequestId } from '../support/refusal-body.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

const users = '/api/user-management/v1/users';
const errorBody = { status: 'error', message: expect.any(String) };
const stored = () =>
  Promise.all([
    app.database.prisma.user.count(),
    app.database.prisma.team.count(),
    app.database.prisma.auditEntry.count(),
  ]);
const post = (
  body: BodyInit,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) =>
  app.request('POST', users, {
    headers: { authorization: `Bearer ${owner.key}`, ...headers },
    body,
  });

describe('every path', () => {
  it.each(everyCall)(
    '$title knows its methods: another method answers 405 with the list',
    async ({ method, path }) => {
      // /users/add is also the path of a user with the id "add".
      const known = everyCall
        .filter(({ template }) =>
          new RegExp(`^${template.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
        )
        .map((call) => call.method);
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        (candidate) => !known.includes(candidate),
      )) {
        const answer = await owner.call(other, path);
        expect(answer).toMatchObject({ status: 405, body: errorBody });
        expect(answer.headers.get('allow')?.split(', ')).toContain(method);
        expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      }
    },
  );

  it.each(everyCall)(
    '$title is the same call with and without a slash at its end',
    async ({ method, path, takesBody, key }) => {
      const body = takesBody ? {} : undefined;
      const bare = path.replace(/\/$/, '');
      const [plain, slashed] = [
        await owner.callWith(key, method, bare, body),
        await owner.callWith(key, method, `${bare}/`, body),
      ];
      expect({ status: slashed.status, text: textWithoutRequestId(slashed) }).toEqual({
        status: plain.status,
        text: textWithoutRequestId(plain),
      });
    },
  );

  it('An unknown path answers 404 with an error body', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/unknown',
      '/api/user-management',
      '/api/user-management/v1',
      '/api/user-management/v2/users',
      `${users}/a/b`,
      '/api/user-management/v1//users',
      `${users}//`,
      '/api/%E0%A4%A',
    ]) {
      expect({ path, ...(await owner.call('GET', path)) }).toMatchObject({
        path,
        status: 404,
        body: errorBody,
      });
    }
  });

  it('An id with malformed escapes is handled like any other: 401 without a key, then 404', async () => {
    for (const id of ['%', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%u0041', '%00']) {
      expect(await app.request('GET', `${users}/${id}`)).toMatchObject({
        status: 401,
        body: errorBody,
      });
      const answer = await owner.call('GET', `${users}/${id}`);
      expect({ id, status: answer.status, limit: answer.headers.get('x-ratelimit-limit') }).toEqual(
        { id, status: 404, limit: '100000' },
      );
    }
  });

  it('HEAD answers like GET without the body', async () => {
    expect((await owner.call('HEAD', users)).status).toBe(200);
  });
});

describe('the body of a request', () => {
  it('A body that is not JSON answers 400, and the response does not repeat it', async () => {
    for (const body of [
      '{',
      'secret-word',
      '{"email":"a@b.example",}',
      '\u0000',
      '{"email":"secret-word',
      new Uint8Array([0xff, 0xfe, 0x7b]),
    ]) {
      const answer = await post(body);
      expect(answer).toMatchObject({ status: 400, body: errorBody });
      expect(answer.text).not.toContain('secret-word');
    }
  });

  it('A JSON body that is not an object answers 400', async () => {
    for (const [body, kind] of Object.entries({
      '[]': 'a list',
      '"text"': 'a string',
      '1': 'a number',
      null: 'null',
      true: 'a boolean',
    })) {
      expect(await post(body)).toMatchObject({
        status: 400,
        body: { message: `The body must be a JSON object, not ${kind}` },
      });
    }
  });

  it('A body of another content type answers 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/jsonp',
      '',
    ]) {
      expect(await post('{"email":"a@b.example"}', { 'content-type': type })).toMatchObject({
        status: 415,
        body: errorBody,
      });
    }
    expect(
      (await post('{}', { 'content-type': 'application/json; charset=latin1' })).body.message,
    ).toBe('The body must be in UTF-8, and not have another charset');
    expect(
      (
        await post('{"email":"charset@b.example"}', {
          'content-type': 'Application/JSON; charset=UTF-8',
        })
      ).status,
    ).toBe(200);
  });

  it('A body larger than 1 MB answers 413, with and without a Content-Length', async () => {
    const before = await stored();
    const large = `{"email":"large@b.example","padding":"${'x'.repeat(1_048_576)}"}`;
    expect(await post(large)).toMatchObject({ status: 413, body: errorBody });
    const streamed = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 20; index += 1)
          controller.enqueue(new Uint8Array(100_000).fill(0x20));
        controller.close();
      },
    });
    const request = new Request(`http://atrium.test${users}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      body: streamed,
      duplex: 'half',
    } as RequestInit);
    expect((await app.fetch(request)).status).toBe(413);
    expect(await stored()).toEqual(before);
  });

  it('A body of exactly 1 MB is accepted', async () => {
    const frame = '{"email":"exact@b.example","padding":""}';
    const body = frame.replace('""}', `"${'x'.repeat(1_048_576 - frame.length)}"}`);
    expect(body.length).toBe(1_048_576);
    expect((await post(body)).status).toBe(200);
    expect((await post(`${body} `)).status).toBe(413);
  });
});

describe('every response', () => {
  it('Every response has a unique request id, is JSON in UTF-8, and must not be cached', async () => {
    const answers = [
      await owner.call('GET', users),
      await owner.call('GET', users),
      await owner.call('GET', '/api/unknown'),
    ];
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});
