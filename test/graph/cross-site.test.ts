import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForgeable } from '../../src/graph/cross-site.ts';
import { type TestApp, testApp } from '../support/app.ts';

const url = new URL('https://atrium.example/graphql');
const trusted = ['https://dashboard.example'];
const forgeable = (method: string, headers: Record<string, string>) =>
  isForgeable(
    new Request(url, { method, headers: { cookie: 'session=1', ...headers } }),
    url,
    trusted,
  );

describe('a request with a session cookie', () => {
  it.each(['cross-site', 'same-site', 'anything-new'])(
    'from a page that is %s to ours is suspected',
    (site) => {
      expect(forgeable('POST', { 'sec-fetch-site': site })).toBe(true);
      expect(forgeable('GET', { 'sec-fetch-site': site })).toBe(true);
      expect(forgeable('GET', { 'sec-fetch-site': site, 'x-requested-with': 'fetch' })).toBe(true);
    },
  );

  it.each(['same-origin', 'none'])('that the browser marks as %s is ours', (site) => {
    expect(forgeable('POST', { 'sec-fetch-site': site })).toBe(false);
    expect(forgeable('GET', { 'sec-fetch-site': site })).toBe(false);
  });

  it('from an origin that the settings trust is theirs to send', () => {
    expect(
      forgeable('POST', { origin: 'https://dashboard.example', 'sec-fetch-site': 'cross-site' }),
    ).toBe(false);
  });

  it('of an older browser is judged by its origin', () => {
    expect(forgeable('POST', { origin: 'https://atrium.example' })).toBe(false);
    for (const origin of [
      'https://evil.example',
      'https://atrium.example.evil.example',
      'https://atrium.example:444',
      'null',
      'not an origin',
    ]) {
      expect({ origin, forgeable: forgeable('POST', { origin }) }).toEqual({
        origin,
        forgeable: true,
      });
    }
  });

  it('by GET without any sign of where it comes from needs a header that no form and no image can send', () => {
    expect(forgeable('GET', {})).toBe(true);
    expect(forgeable('GET', { 'x-requested-with': 'fetch' })).toBe(false);
  });
});

describe('a request without a session cookie, or with a key', () => {
  it('is not suspected: no browser adds a key by itself', () => {
    expect(
      isForgeable(new Request(url, { headers: { 'sec-fetch-site': 'cross-site' } }), url, []),
    ).toBe(false);
    expect(forgeable('POST', { authorization: 'Bearer x', 'sec-fetch-site': 'cross-site' })).toBe(
      false,
    );
  });
});

describe('the door', () => {
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

  it('refuses a forged request before it looks at the session', async () => {
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

  it('lets its own pages and those of trusted origins ask', async () => {
    for (const origin of ['https://atrium.example', 'https://dashboard.example']) {
      expect(await post({ origin })).toMatchObject({
        status: 200,
        body: { data: { __typename: 'Query' } },
      });
    }
  });

  it('refuses every body that a form or a plain script can send without asking, but files, which it takes only where nobody else can have sent them', async () => {
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
