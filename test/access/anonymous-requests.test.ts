import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieIn } from '../../src/http/cookies.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';

let app: TestApp;
let server: ServedApp;
beforeAll(async () => {
  app = await testApp({ ANONYMOUS_LIMIT: '5' });
  server = await serveApp(app);
});
afterAll(async () => {
  server.close();
  await app.close();
});

const sendQuery = (headers: Record<string, string> = {}) =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: '{"query":"{ viewer { kind } }"}',
  });

describe('anonymous requests', () => {
  it('anonymous requests are limited by network address and get Retry-After; requests with a key do not count', async () => {
    const { key } = await app.organization();
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendQuery()));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(3);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await sendQuery({ authorization: `Bearer ${key}` })).status).toBe(200);
  });
});

describe('cookieIn', () => {
  it('a cookie is found by its exact name', () => {
    const header = 'a=1; atrium-x=yes=no;  b = 2';
    expect(cookieIn(header, 'atrium-x')).toBe('yes=no');
    expect(cookieIn(header, 'b')).toBe('2');
    expect(cookieIn(header, 'x')).toBeUndefined();
    expect(cookieIn(null, 'a')).toBeUndefined();
  });
});
