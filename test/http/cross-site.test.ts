import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForgeable } from '../../src/http/cross-site.ts';
import { type TestApp, testApp } from '../support/app.ts';

const url = new URL('https://atrium.example/graphql');
const trustedOrigins = ['https://dashboard.example'];
const isForgeableRequest = (method: string, headers: Record<string, string>) =>
  isForgeable(
    new Request(url, { method, headers: { cookie: 'session=1', ...headers } }),
    url,
    trustedOrigins,
  );

describe('isForgeable with a session cookie', () => {
  it.each(['cross-site', 'same-site', 'anything-new'])(
    'a request with Sec-Fetch-Site: %s may be forged',
    (site) => {
      expect(isForgeableRequest('POST', { 'sec-fetch-site': site })).toBe(true);
      expect(isForgeableRequest('GET', { 'sec-fetch-site': site })).toBe(true);
      expect(
        isForgeableRequest('GET', { 'sec-fetch-site': site, 'x-requested-with': 'fetch' }),
      ).toBe(true);
    },
  );

  it.each(['same-origin', 'none'])('a request with Sec-Fetch-Site: %s is not forged', (site) => {
    expect(isForgeableRequest('POST', { 'sec-fetch-site': site })).toBe(false);
    expect(isForgeableRequest('GET', { 'sec-fetch-site': site })).toBe(false);
  });

  it('a request from a configured origin is not forged', () => {
    expect(
      isForgeableRequest('POST', {
        origin: 'https://dashboard.example',
        'sec-fetch-site': 'cross-site',
      }),
    ).toBe(false);
  });

  it('a request without Sec-Fetch-Site is judged by its Origin header', () => {
    expect(isForgeableRequest('POST', { origin: 'https://atrium.example' })).toBe(false);
    for (const origin of [
      'https://evil.example',
      'https://atrium.example.evil.example',
      'https://atrium.example:444',
      'null',
      'not an origin',
    ]) {
      expect({ origin, forgeable: isForgeableRequest('POST', { origin }) }).toEqual({
        origin,
        forgeable: true,
      });
    }
  });

  it('a GET without any origin header needs a header that forms and images cannot send', () => {
    expect(isForgeableRequest('GET', {})).toBe(true);
    expect(isForgeableRequest('GET', { 'x-requested-with': 'fetch' })).toBe(false);
  });
});

describe('isForgeable without a session cookie', () => {
  it('a request with a key or without a cookie cannot be forged, because browsers never add a key', () => {
    expect(
      isForgeable(new Request(url, { headers: { 'sec-fetch-site': 'cross-site' } }), url, []),
    ).toBe(false);
    expect(
      isForgeableRequest('POST', { authorization: 'Bearer x', 'sec-fetch-site': 'cross-site' }),
    ).toBe(false);
  });
});

describe('the GraphQL endpoint', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp({
      ORIGIN: 'https://atrium.example',
      CORS_ORIGINS: 'https://dashboard.example',
    });
  });
  afterAll(() => app.close());

  const post = (headers: Record<string, string>) =>
    app.request('POST', '/graphql', {
      headers: { 'content-type': 'application/json', cookie: 'session=1', ...headers },
      body: '{"query":"{ __typename }"}',
    });

  it('a forged request is rejected before the session is read', async () => {
    expect(
      await post({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
    ).toMatchObject({
      status: 403,
      body: {
        errors: [
          {
            message: 'This request may come from another site',
            extensions: { code: 'FORBIDDEN', requestId: expect.any(String) },
          },
        ],
      },
    });
  });

  it('pages of Atrium and of trusted origins may send requests', async () => {
    for (const origin of ['https://atrium.example', 'https://dashboard.example']) {
      expect(await post({ origin })).toMatchObject({
        status: 200,
        body: { data: { __typename: 'Query' } },
      });
    }
  });

  it('bodies that a form or script can send without a preflight are rejected, except files of verified origin', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'text/plain; application/json',
      'application/graphql',
    ]) {
      expect({
        type,
        ...(await post({ 'sec-fetch-site': 'same-origin', 'content-type': type })),
      }).toMatchObject({ type, status: 415 });
    }
    const type = 'multipart/form-data; boundary=x';
    expect((await post({ 'sec-fetch-site': 'cross-site', 'content-type': type })).status).toBe(403);
    expect((await post({ 'content-type': type })).status).toBe(403);
  });
});
