import { describe, expect, it } from 'vitest';
import { corsHeaders, parseOrigins, preflight } from '../../src/platform/cors.ts';

const listed = 'https://dashboard.example';
const ask = (path: string, origin: string | undefined, method = 'OPTIONS') =>
  preflight(
    new Request(`https://atrium.example${path}`, {
      method,
      headers: { ...(origin ? { origin } : {}), 'access-control-request-method': 'PATCH' },
    }),
    path,
    [listed],
  );

describe('origins in the settings', () => {
  it('are kept as browsers write them', () => {
    expect(
      parseOrigins([
        'https://Dashboard.example/',
        'https://dashboard.example:443',
        'http://localhost:5173',
      ]),
    ).toEqual([listed, listed, 'http://localhost:5173']);
  });

  it.each([
    '*',
    'null',
    'dashboard.example',
    'https://*',
    'https://dashboard.example/path',
    'file:///',
    'https://user@dashboard.example',
  ])('stop the start where one is %s', (text) => {
    expect(() => parseOrigins([text])).toThrow('is not an origin');
  });
});

describe('an answer', () => {
  it('names a listed origin, never a wildcard, and differs by origin', () => {
    expect(corsHeaders(listed, [listed])).toMatchObject({
      'access-control-allow-origin': listed,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
  });

  it('lets a listed page read the request id, the rate limit and whether an answer is a repetition', () => {
    const exposed = corsHeaders(listed, [listed])['access-control-expose-headers']?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'X-Request-Id',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'Retry-After',
        'Idempotency-Replayed',
      ]),
    );
  });

  it.each([
    'https://evil.example',
    'https://dashboard.example.evil.example',
    'http://dashboard.example',
    'https://dashboard.example:444',
    'null',
    '*',
    '',
  ])('tells %s nothing, and caches know that it depends on the origin', (origin) => {
    expect(corsHeaders(origin, [listed])).toEqual({ vary: 'Origin' });
  });

  it('has no CORS header at all where no origin is listed', () => {
    expect(corsHeaders(listed, [])).toEqual({});
  });
});

describe('a preflight', () => {
  it.each(['/graphql', '/graphql/', '/api/user-management/v1/users'])(
    'for %s tells a listed origin what it may send',
    (path) => {
      const answer = ask(path, listed);
      expect(answer?.status).toBe(204);
      expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
        'access-control-allow-origin': listed,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, X-Requested-With',
      });
    },
  );

  it('tells an unknown origin nothing', () => {
    expect(Object.fromEntries(ask('/graphql', 'https://evil.example')?.headers ?? [])).toEqual({
      vary: 'Origin',
    });
  });

  it('is none where another path, another method or no origin asks', () => {
    expect([
      ask('/', listed),
      ask('/apis', listed),
      ask('/graphql', undefined),
      ask('/graphql', listed, 'POST'),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
