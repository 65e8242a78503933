import { Response } from '@whatwg-node/fetch';

/** The headers that pages of other origins may send and read. */
const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, X-Requested-With, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id, Traceparent, Tracestate',
  // Chromium caches a preflight response for at most two hours.
  'access-control-max-age': '7200',
};
const exposedHeaders =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, Deprecation, Sunset, ETag, Link, Location, Preference-Applied, X-Run-Id';

/**
 * Normalizes the origins to the form that browsers send, or throws. `*` is rejected, because it
 * would open every session to every page.
 */
export function parseOrigins(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (
      !url ||
      !/^https?:$/.test(url.protocol) ||
      url.href !== `${url.origin}/` ||
      text.includes('*')
    )
      throw new Error(
        `CORS_ORIGINS: ${text} is not an origin such as https://dashboard.example.com`,
      );
    return url.origin;
  });
}

/**
 * The CORS headers of every response to this origin. An origin that is not listed only gets `Vary`.
 */
export function corsHeaders(
  origin: string | null,
  allowed: readonly string[],
): Record<string, string> {
  if (allowed.length === 0) return {};
  if (origin === null || !allowed.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposedHeaders,
  };
}

/** The response to a CORS preflight for /api or /graphql; undefined for any other request. */
export function preflight(
  request: Request,
  pathname: string,
  allowed: readonly string[],
): Response | undefined {
  const origin = request.headers.get('origin');
  const isPreflight =
    request.method === 'OPTIONS' &&
    origin !== null &&
    request.headers.has('access-control-request-method');
  if (!isPreflight || !/^\/(api|graphql)(\/|$)/.test(pathname)) return undefined;
  const headers = corsHeaders(origin, allowed);
  return new Response(null, {
    status: 204,
    headers:
      'access-control-allow-origin' in headers ? { ...headers, ...preflightHeaders } : headers,
  });
}
