import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
let app: TestApp;
let owner: TestOrganization;

beforeAll(async () => {
  app = await testApp({
    METRICS_TOKEN: 'the-token-of-the-metrics',
    CORS_ORIGINS: 'https://console.example',
  });
  owner = await app.organization();
});
afterAll(() => app.close());

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  app.request('POST', path, { body, headers: { 'content-type': 'application/json', ...headers } });

describe('deeply nested JSON', () => {
  const authorization = async (kind: 'USER_KEY' | 'ORGANIZATION_KEY') => ({
    authorization: `Bearer ${await owner.keyOf(kind)}`,
  });

  it.each([70, 8_000])('JSON with %i levels answers 400 at every endpoint', async (levels) => {
    const variables = `{"query":"{ viewer { kind } }","variables":${deep(levels)}}`;
    const answers = [
      await post('/auth/sign-in/email', deep(levels)),
      await post('/auth/sign-up/email', deep(levels)),
      await post('/graphql', variables),
      await post(
        '/api/user-management/v1/users',
        deep(levels),
        await authorization('ORGANIZATION_KEY'),
      ),
      await app.fetch(
        new Request('http://atrium.test/api/openai/v1/chat/completions', {
          method: 'POST',
          body: deep(levels),
          headers: { 'content-type': 'application/json', ...(await authorization('USER_KEY')) },
        }),
      ),
      ...(levels < 1_000
        ? [
            await app.request(
              'GET',
              `/graphql?query={viewer{kind}}&variables=${encodeURIComponent(deep(levels))}`,
            ),
          ]
        : []),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  });

  it('JSON with sixty levels is accepted', async () => {
    const answer = await post(
      '/graphql',
      `{"query":"{ viewer { kind } }","variables":${deep(60)}}`,
    );
    expect(answer.status).toBe(200);
  });
});

describe('a form that another site submits', () => {
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'http://sibling.atrium.test' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ];

  it.each(foreign)('A form of another site cannot sign a person out: %o', async (headers) => {
    const { status, headers: answered } = await app.request('POST', '/auth/sign-out', { headers });
    expect(status).toBe(403);
    expect(answered.getSetCookie()).toEqual([]);
  });

  it.each([
    {},
    { origin: 'http://atrium.test' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://console.example' },
  ])('A sign-out of our own page is accepted: %o', async (headers: Record<string, string>) => {
    expect((await app.request('POST', '/auth/sign-out', { headers })).status).toBe(200);
  });

  it('A form of another site cannot end a session', async () => {
    const session = await signIn(app, owner.administratorId);
    await app.request('POST', '/auth/sign-out', {
      headers: { cookie: session.cookie, 'sec-fetch-site': 'cross-site' },
    });
    expect((await session.graph('{ viewer { kind } }')).data).toEqual({
      viewer: { kind: 'SESSION' },
    });
  });
});

describe('HTTP Strict Transport Security', () => {
  it('Every response has the header if ORIGIN is https, and no response has it otherwise', async () => {
    const secure = await testApp({ ORIGIN: 'https://atrium.example' });
    const paths = [
      '/livez',
      '/graphql',
      '/auth/get-session',
      '/api/user-management/v1/users',
      '/nothing',
    ];
    for (const path of paths) {
      expect((await secure.request('GET', path)).headers.get('strict-transport-security')).toBe(
        'max-age=31536000; includeSubDomains',
      );
      expect((await app.request('GET', path)).headers.get('strict-transport-security')).toBeNull();
    }
    await secure.close();
  });
});

describe('the security headers of every response', () => {
  it.each([
    '/livez',
    '/graphql',
    '/auth/get-session',
    '/api/user-management/v1/users',
    '/nothing',
    '/',
    '/api/docs',
  ])(
    'The response of %s cannot be framed by another page or sniffed as another type',
    async (path) => {
      const { headers } = await app.request('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
    },
  );
});

describe('guesses of the token for the metrics', () => {
  it('After twenty wrong tokens per minute further ones are rejected with 429, and the right token is accepted', async () => {
    const guess = () =>
      app.request('GET', '/metrics', { headers: { authorization: 'Bearer a wrong token' } });
    const answers = [];
    for (let guessed = 0; guessed < 22; guessed += 1) answers.push((await guess()).status);
    expect(answers).toEqual([...Array(20).fill(401), 429, 429]);
    const right = await app.request('GET', '/metrics', {
      headers: { authorization: 'Bearer the-token-of-the-metrics' },
    });
    expect(right.status).toBe(200);
  });
});
