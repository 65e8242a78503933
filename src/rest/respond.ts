import { Response } from '@whatwg-node/fetch';
import type { ClientError } from '../http/client-error.ts';
import { namesTag } from '../http/entity-tags.ts';
import { TextResponse } from '../http/text-response.ts';
import { errorCatalogue } from '../platform/errors.ts';

type ResponseEnvelope = Readonly<Record<string, unknown>>;

/**
 * Builds the body of a success: the envelope, the fields of the root alias `result`, and every
 * other root alias under its name.
 */
export function bodyOf(
  envelope: ResponseEnvelope,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { result, ...named } = data;
  return { ...envelope, ...(typeof result === 'object' ? result : {}), ...named };
}

/** `text` is the body as JSON. */
export const successResponse = (text: string, headers: Record<string, string>): Response =>
  jsonResponse(200, text, headers);

/**
 * A success with an entity tag, which is the field `etag` of the body. Returns 304 if the client
 * has this version already.
 */
export function taggedResponse(
  body: Record<string, unknown>,
  request: Request,
  headers: Record<string, string>,
): Response {
  const tag = String(body['etag']);
  headers['etag'] = tag;
  if (!namesTag(request.headers.get('if-none-match') ?? '', tag, { weakly: true }))
    return successResponse(JSON.stringify(body), headers);
  headers['cache-control'] = 'no-store';
  return new Response(null, { status: 304, headers });
}

export function errorResponse(refusal: ClientError, headers: Record<string, string>): Response {
  const { code, retryAfterSeconds } = refusal;
  const { status } = errorCatalogue[code];
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (code === 'STILL_RUNNING') headers['retry-after'] = '1';
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  return jsonResponse(status, JSON.stringify(errorBodyOf(refusal)), headers);
}

/** The body of an error response, and the data of the `error` event that ends a stream. */
export const errorBodyOf = ({
  code,
  message,
  requestId,
  errors,
}: ClientError): ResponseEnvelope => ({
  ...{ status: 'error', message, code, requestId },
  ...(errors === undefined ? {} : { errors }),
});

export function jsonResponse(
  status: number,
  text: string,
  headers: Record<string, string>,
): Response {
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['cache-control'] = 'no-store';
  return new TextResponse(text, { status, headers });
}
