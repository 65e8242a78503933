import { describe, expect, it } from 'vitest';
import { corsHeaders, parseOrigins, preflight } from '../../src/http/cors.ts';

const listedOrigin = 'https://dashboard.example';
const preflightFor = (path: string, origin: string | undefined, method = 'OPTIONS') =>
  preflight(
    new Request(`https://atrium.example${path}`, {
      method,
      headers: { ...(origin ? { origin } : {}), 'access-control-request-method': 'PATCH' },
    }),
    path,
    [listedOrigin],
  );

describe('parseOrigins', () => {
  it('origins are normalized to the form that browsers send', () => {
    expect(
      parseOrigins([
        'https://Dashboard.example/',
        'https://dashboard.example:443',
        'http://localhost:5173',
      ]),
    ).toEqual([listedOrigin, listedOrigin, 'http://localhost:5173']);
  });

  it.each([
    '*',
    'null',
    'dashboard.example',
    'https://*',
    'https://dashboard.example/path',
    'file:///',
    'https://user@dashboard.example',
  ])('the value %s is rejected as an origin', (text) => {
    expect(() => parseOrigins([text])).toThrow('is not an origin');
  });
});

describe('corsHeaders', () => {
  it('a response names a listed origin, never a wildcard, and varies by origin', () => {
    expect(corsHeaders(listedOrigin, [listedOrigin])).toMatchObject({
      'access-control-allow-origin': listedOrigin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
  });

  it('a listed page may read the request id, the rate limit headers and Idempotency-Replayed', () => {
    const exposed = corsHeaders(listedOrigin, [listedOrigin])[
      'access-control-expose-headers'
    ]?.split(', ');
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
  ])('a response to the unlisted origin "%s" has only the Vary header', (origin) => {
    expect(corsHeaders(origin, [listedOrigin])).toEqual({ vary: 'Origin' });
  });

  it('a response has no CORS headers if no origin is listed', () => {
    expect(corsHeaders(listedOrigin, [])).toEqual({});
  });
});

describe('preflight', () => {
  it.each(['/graphql', '/graphql/', '/api/user-management/v1/users'])(
    'a preflight for %s tells a listed origin the allowed methods and headers',
    (path) => {
      const answer = preflightFor(path, listedOrigin);
      expect(answer?.status).toBe(204);
      expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
        'access-control-allow-origin': listedOrigin,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, X-Requested-With, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id, Traceparent, Tracestate',
      });
    },
  );

  it('a preflight of an unlisted origin gets only the Vary header', () => {
    expect(
      Object.fromEntries(preflightFor('/graphql', 'https://evil.example')?.headers ?? []),
    ).toEqual({
      vary: 'Origin',
    });
  });

  it('a request with another path, another method or without an origin is not a preflight', () => {
    expect([
      preflightFor('/', listedOrigin),
      preflightFor('/apis', listedOrigin),
      preflightFor('/graphql', undefined),
      preflightFor('/graphql', listedOrigin, 'POST'),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
