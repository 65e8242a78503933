import type { OpenApiHeader, OpenApiReference, OpenApiResponse } from './document.ts';

const requestId = {
  'X-Request-Id': {
    description: 'The id of this request. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string' },
  },
};

const rateLimit = {
  'X-RateLimit-Limit': {
    description: 'The number of requests that the key may send per window of 60 seconds.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'The number of requests that are left in this window.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'The end of the window, as Unix time in seconds.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};

const retryAfter = {
  'Retry-After': {
    description: 'The number of seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
};
const idempotencyReplayed = {
  'Idempotency-Replayed': {
    description:
      'True if a previous request with this Idempotency-Key was executed and this response repeats its response.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
};
const preferenceApplied = {
  'Preference-Applied': {
    description:
      'dry-run if the request was a dry run, which has changed nothing; respond-async if it has started a durable run.',
    required: false,
    schema: { type: 'string', enum: ['dry-run', 'respond-async'] },
  },
};
const budgetRemaining = {
  'X-Budget-Remaining': {
    description:
      'What is left of the tightest budget that blocks the run: tokens, runs, or an amount of money. Absent if no budget blocks the run.',
    required: false,
    schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  },
};
const runId = {
  'X-Run-Id': {
    description:
      'The id of the run, for its receipt; a failed run has it too. Absent from the repeated response of an Idempotency-Key.',
    required: false,
    schema: { type: 'string' },
  },
};
const wwwAuthenticate = {
  'WWW-Authenticate': {
    description: 'The required authentication scheme.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
};

const entityTag = {
  ETag: {
    description:
      'The entity tag of the content, for If-None-Match and If-Match. It changes when the content changes.',
    required: true,
    schema: { type: 'string' },
  },
};
const link = {
  Link: {
    description:
      'The URLs of other pages of the list (RFC 8288), as far as they are known: first, prev, next and last. Without next, the list ends here.',
    required: false,
    schema: { type: 'string' },
  },
};
const contentRange = {
  'Content-Range': {
    description: 'The returned range, and the size of the file.',
    required: true,
    schema: { type: 'string' },
  },
};

const acceptEncoding = {
  'Accept-Encoding': {
    description:
      'The supported content codings, if the Content-Encoding of the request is not supported.',
    required: false,
    schema: { type: 'string' },
  },
};
const allow = {
  Allow: {
    description: 'The methods of the path.',
    required: true,
    schema: { type: 'string' },
  },
};
const accelBuffering = {
  'X-Accel-Buffering': {
    description: 'With an event stream: tells proxies to forward each event without buffering.',
    required: false,
    schema: { type: 'string', const: 'no' },
  },
};

const location = {
  Location: {
    description: 'The path of the run that was started.',
    required: true,
    schema: { type: 'string' },
  },
};

type ResponseHeaders = OpenApiResponse['headers'];

export const headers: Record<string, OpenApiHeader> = {
  ...requestId,
  ...rateLimit,
  ...retryAfter,
  ...idempotencyReplayed,
  ...preferenceApplied,
  ...budgetRemaining,
  ...runId,
  ...wwwAuthenticate,
  ...entityTag,
  ...link,
  ...contentRange,
  ...acceptEncoding,
  ...accelBuffering,
  ...location,
  ...allow,
};

/**
 * The headers of a response with this status. Only the responses to a valid key have rate limit
 * headers.
 */
export function headersOfStatus(status: number): ResponseHeaders {
  if (status === 401) return references({ ...requestId, ...wwwAuthenticate });
  if (status === 429) return references({ ...requestId, ...rateLimit, ...retryAfter });
  if (status === 202)
    return references({
      ...{ ...requestId, ...rateLimit, ...location },
      ...{ ...idempotencyReplayed, ...preferenceApplied },
    });
  if (status === 206)
    return references({ ...requestId, ...rateLimit, ...entityTag, ...contentRange });
  if (status === 416)
    return references({ ...requestId, ...rateLimit, ...entityTag, ...contentRange });
  if (status === 304) return references({ ...requestId, ...rateLimit, ...entityTag });
  if (status === 405) return references({ ...requestId, ...rateLimit, ...allow });
  if (status === 415) return references({ ...requestId, ...rateLimit, ...acceptEncoding });
  if (status === 409)
    return { ...references({ ...requestId, ...rateLimit }), ...optional(retryAfter) };
  // Requests with these errors are rejected before the key is read.
  if (status === 417 || status === 431) return references(requestId);
  // A server error can happen before the key is identified.
  if (status >= 500) return { ...references(requestId), ...optional(rateLimit) };
  return references({ ...requestId, ...rateLimit });
}

/** The headers of a success of a write, which may take an Idempotency-Key. */
export const headersOfWrite = ({ isRepeatable }: { isRepeatable: boolean }): ResponseHeaders => ({
  ...headersOfStatus(200),
  ...(isRepeatable ? references(idempotencyReplayed) : {}),
  ...references(preferenceApplied),
});
export const headersOfTagged = (): ResponseHeaders => ({
  ...headersOfStatus(200),
  ...references(entityTag),
});
/** The headers of a success of a list. */
export const headersOfList = (): ResponseHeaders => ({
  ...headersOfStatus(200),
  ...references(link),
});
/** The additional headers of a success of a run. */
export const headersOfRun = (): ResponseHeaders => references({ ...budgetRemaining, ...runId });
/** The headers of a refusal by a budget, which need not begin again. */
export const headersOfExhausted = (): ResponseHeaders => ({
  ...headersOfStatus(429),
  ...optional(retryAfter),
});
/** The additional headers of a success that may be an event stream. */
export const headersOfEvents = (): ResponseHeaders => references(accelBuffering);

const references = (named: Record<string, OpenApiHeader>): Record<string, OpenApiReference> =>
  Object.fromEntries(
    Object.keys(named).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const optional = (named: Record<string, OpenApiHeader>): Record<string, OpenApiHeader> =>
  Object.fromEntries(
    Object.entries(named).map(([name, header]) => [name, { ...header, required: false }]),
  );
