import type { Answer, Header, Reference } from './document.ts';

const requestId = {
  'X-Request-Id': {
    description: 'The id of this request. Name it when you report a fault.',
    required: true,
    schema: { type: 'string' },
  },
};

const rateLimit = {
  'X-RateLimit-Limit': {
    description: 'Requests that the key has in each window of 60 seconds.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left in this window.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, as Unix time in seconds.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};

const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};
const idempotencyReplayed = {
  'Idempotency-Replayed': {
    description:
      'True where an earlier request with this Idempotency-Key did the work, and this answer repeats its answer.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
};
const wwwAuthenticate = {
  'WWW-Authenticate': {
    description: 'The scheme that is asked for.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
};

const entityTag = {
  ETag: {
    description: 'Changes with what the answer tells. If-None-Match and If-Match take it.',
    required: true,
    schema: { type: 'string' },
  },
};
const contentRange = {
  'Content-Range': {
    description: 'The part that is answered, and the size of the file.',
    required: true,
    schema: { type: 'string' },
  },
};

const acceptEncoding = {
  'Accept-Encoding': {
    description:
      'The codings that are decoded, where the Content-Encoding of the request is another one.',
    required: false,
    schema: { type: 'string' },
  },
};
const accelBuffering = {
  'X-Accel-Buffering': {
    description: 'With an event stream: tells proxies to hand on each event as it comes.',
    required: false,
    schema: { type: 'string', const: 'no' },
  },
};

type Headers = Answer['headers'];

export const headers: Record<string, Header> = {
  ...requestId,
  ...rateLimit,
  ...retryAfter,
  ...idempotencyReplayed,
  ...wwwAuthenticate,
  ...entityTag,
  ...contentRange,
  ...acceptEncoding,
  ...accelBuffering,
};

/**
 * What an answer of this status carries. Only a key that opened something has a limit to tell of.
 */
export function headersOf(status: number): Headers {
  if (status === 401) return references({ ...requestId, ...wwwAuthenticate });
  if (status === 429) return references({ ...requestId, ...rateLimit, ...retryAfter });
  if (status === 206)
    return references({ ...requestId, ...rateLimit, ...entityTag, ...contentRange });
  if (status === 416)
    return references({ ...requestId, ...rateLimit, ...entityTag, ...contentRange });
  if (status === 304) return references({ ...requestId, ...rateLimit, ...entityTag });
  if (status === 415) return references({ ...requestId, ...rateLimit, ...acceptEncoding });
  if (status === 409)
    return { ...references({ ...requestId, ...rateLimit }), ...optional(retryAfter) };
  // These are refused before the key is read.
  if (status === 417 || status === 431) return references(requestId);
  // A fault can come before the key is known.
  if (status >= 500) return { ...references(requestId), ...optional(rateLimit) };
  return references({ ...requestId, ...rateLimit });
}

/**
 * What a success carries besides where the call takes an Idempotency-Key, or where it has an entity
 * tag.
 */
export const headersOfRepeatable = (): Headers => ({
  ...headersOf(200),
  ...references(idempotencyReplayed),
});
export const headersOfTagged = (): Headers => ({ ...headersOf(200), ...references(entityTag) });
/** The same where the success may be an event stream. */
export const headersOfEvents = (): Headers => references(accelBuffering);

const references = (named: Record<string, Header>): Record<string, Reference> =>
  Object.fromEntries(
    Object.keys(named).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const optional = (named: Record<string, Header>): Record<string, Header> =>
  Object.fromEntries(
    Object.entries(named).map(([name, header]) => [name, { ...header, required: false }]),
  );
