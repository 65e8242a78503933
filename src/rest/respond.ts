import { Response } from '@whatwg-node/fetch';
import type { Refusal } from '../graph/errors.ts';
import { namesTag } from '../platform/entity-tags.ts';
import { errorCatalogue } from '../platform/errors.ts';
import { TextResponse } from '../platform/text-response.ts';

type Envelope = Readonly<Record<string, unknown>>;

/**
 * The body of a success: the envelope, the fields of the root alias `result`, every other root
 * alias under its name.
 */
export function bodyOf(
  envelope: Envelope,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { result, ...named } = data;
  return { ...envelope, ...(typeof result === 'object' ? result : {}), ...named };
}

/** `text` is JSON. */
export const success = (text: string, headers: Record<string, string>): Response =>
  json(200, text, headers);

/**
 * A success that changes with its field `etag`: whoever has it already is told that nothing
 * changed.
 */
export function tagged(
  body: Record<string, unknown>,
  request: Request,
  headers: Record<string, string>,
): Response {
  const tag = String(body['etag']);
  headers['etag'] = tag;
  if (!namesTag(request.headers.get('if-none-match') ?? '', tag, { weakly: true }))
    return success(JSON.stringify(body), headers);
  headers['cache-control'] = 'no-store';
  return new Response(null, { status: 304, headers });
}

export function refused(refusal: Refusal, headers: Record<string, string>): Response {
  const { code, retryAfterSeconds } = refusal;
  const { status } = errorCatalogue[code];
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (code === 'STILL_RUNNING') headers['retry-after'] = '1';
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  return json(status, JSON.stringify(errorBodyOf(refusal)), headers);
}

/** The body of a refusal, and the data of the event that ends a stream. */
export const errorBodyOf = ({ code, message, requestId, errors }: Refusal): Envelope => ({
  ...{ status: 'error', message, code, requestId },
  ...(errors === undefined ? {} : { errors }),
});

export function json(status: number, text: string, headers: Record<string, string>): Response {
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['cache-control'] = 'no-store';
  return new TextResponse(text, { status, headers });
}
