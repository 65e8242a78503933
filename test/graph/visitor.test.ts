import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieIn } from '../../src/platform/cookies.ts';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
let origin: string;
beforeAll(async () => {
  app = await testApp({ ANONYMOUS_LIMIT: '5' });
  const server = createServer(app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  origin = `http://127.0.0.1:${port}`;
  return () => server.close();
});
afterAll(() => app.close());

const ask = (headers: Record<string, string> = {}) =>
  fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: '{"query":"{ viewer { kind } }"}',
  });

describe('somebody without a key or a session', () => {
  it('is answered up to the limit of their address, then told when to come again; a key is not counted with them', async () => {
    const { key } = await app.organization();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask({ authorization: `Bearer ${key}` })).status).toBe(200);
  });
});

describe('a cookie', () => {
  it('is found by its whole name, whatever stands around it', () => {
    const header = 'a=1; atrium-x=yes=no;  b = 2';
    expect(cookieIn(header, 'atrium-x')).toBe('yes=no');
    expect(cookieIn(header, 'b')).toBe('2');
    expect(cookieIn(header, 'x')).toBeUndefined();
    expect(cookieIn(null, 'a')).toBeUndefined();
  });
});
