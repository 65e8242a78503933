import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/platform/errors.ts';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { refusalBody } from '../support/refusal-body.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';

let app: TestApp;
let owner: TestOrganization;
let userKey: string;
let server: ServedApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '1000', USER_KEY_LIMIT: '1000' });
  owner = await app.organization();
  userKey = await owner.keyOf('USER_KEY');
  server = await serveApp(app);
});
afterAll(async () => {
  server.close();
  await app.close();
});

async function send(method: string, path: string, key?: string) {
  const answer = await fetch(server.url + path, {
    method,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  const text = await answer.text();
  const remaining = answer.headers.get('x-ratelimit-remaining');
  return {
    status: answer.status,
    headers: answer.headers,
    remaining: remaining === null ? null : Number(remaining),
    body: text && JSON.parse(text),
  };
}

/** The endpoints for OpenAI clients have OpenAI's error format. */
const bodyAt = (path: string, code: ErrorCode, message: unknown = expect.any(String)) =>
  path.startsWith('/api/openai/')
    ? { error: expect.objectContaining({ message, code: code.toLowerCase() }) }
    : refusalBody(code, message);

const unknownPaths = [
  ['GET', '/api', 404, null],
  ['GET', '/api/nothing', 404, null],
  ['POST', '/api/user-management/v2/users', 404, null],
  ['GET', '/api/assistants/v1/x/y/z', 404, null],
  ['GET', '/api/openai/v1/nothing', 404, null],
  ['PUT', '/api/user-management/v1/users', 405, 'GET, HEAD, POST'],
  ['DELETE', '/api/assistants/v1', 405, 'GET, HEAD'],
  ['OPTIONS', '/api/sponsorship/v1/campaigns', 405, 'GET, HEAD, POST'],
  ['GET', '/api/openai/v1/chat/completions', 405, 'POST'],
  ['POST', '/api/docs', 405, 'GET, HEAD'],
  ['DELETE', '/api/openapi.json', 405, 'GET, HEAD'],
] as const;

describe.each(unknownPaths)('%s %s, an unknown path', (method, path, status, allow) => {
  it('An unknown path answers 401 without a valid key, and the response does not reveal whether it exists', async () => {
    for (const key of [undefined, 'sk_svc_nonsense']) {
      const answer = await send(method, path, key);
      expect(answer).toMatchObject({
        status: 401,
        remaining: null,
        body: bodyAt(path, 'UNAUTHENTICATED', 'Invalid or missing API key'),
      });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('allow')).toBeNull();
    }
  });

  it.each(['ORGANIZATION_KEY', 'USER_KEY'] as const)(
    `With an %s an unknown path counts against the limit, has its headers, and answers ${status}`,
    async (kind) => {
      const key = kind === 'USER_KEY' ? userKey : owner.key;
      const first = await send(method, path, key);
      const second = await send(method, path, key);
      expect(first).toMatchObject({
        status,
        body: bodyAt(path, status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED'),
      });
      expect(first.headers.get('allow')).toBe(allow);
      expect(first.headers.get('x-ratelimit-limit')).toBe('1000');
      expect(Number(first.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
      expect(second.remaining).toBe(Number(first.remaining) - 1);
    },
  );
});

describe('the rate limit of unknown paths', () => {
  it('An unknown path beyond the limit answers 429', async () => {
    const few = await testApp({ ORGANIZATION_KEY_LIMIT: '2' });
    const { call } = await few.organization();
    const statuses = [];
    for (const path of [
      '/api/nothing',
      '/api/user-management/v1/teams',
      '/api/nothing',
      '/api/user-management/v1/teams',
    ])
      statuses.push((await call('GET', path)).status);
    expect(statuses).toEqual([404, 200, 429, 429]);
    await few.close();
  });
});

describe('the API reference', () => {
  it('The reference can be read without a key', async () => {
    expect((await fetch(`${server.url}/api/docs`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/openapi.json`, { method: 'HEAD' })).status).toBe(200);
  });
});
