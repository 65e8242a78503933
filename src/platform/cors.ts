import { Response } from '@whatwg-node/fetch';

/** What a foreign page may send and read. */
const sendable = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, X-Requested-With',
  // Chromium keeps a preflight's answer for two hours at most.
  'access-control-max-age': '7200',
};
const readable =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, Deprecation, Sunset';

/**
 * The origins as browsers write them, or an error: `*` is none, it would open every session to
 * every page.
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
 * What every answer to a page of this origin carries. An origin that is not listed is told nothing.
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
    'access-control-expose-headers': readable,
  };
}

/**
 * The answer to a browser that asks whether a page may call /api or /graphql; nothing for any other
 * request.
 */
export function preflight(
  request: Request,
  pathname: string,
  allowed: readonly string[],
): Response | undefined {
  const origin = request.headers.get('origin');
  const asks =
    request.method === 'OPTIONS' &&
    origin !== null &&
    request.headers.has('access-control-request-method');
  if (!asks || !/^\/(api|graphql)(\/|$)/.test(pathname)) return undefined;
  const headers = corsHeaders(origin, allowed);
  return new Response(null, {
    status: 204,
    headers: 'access-control-allow-origin' in headers ? { ...headers, ...sendable } : headers,
  });
}
