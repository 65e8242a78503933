import { Response } from '@whatwg-node/fetch';
import { listedTag } from '../http/entity-tags.ts';
import { jsonResponse } from '../http/json-response.ts';

type ResponseEnvelope = Readonly<Record<string, unknown>>;

/**
 * Builds the body of a success: the envelope, the fields of the root alias `result`, and every
 * other root alias under its name. Inside `result`, an object with the alias `result` is spread as
 * well.
 */
export const bodyOf = (
  envelope: ResponseEnvelope,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({ ...envelope, ...spreadResult(data) });

function spreadResult({ result, ...named }: Readonly<Record<string, unknown>>): object {
  return typeof result === 'object' ? { ...spreadResult({ ...result }), ...named } : named;
}

/** `text` is the body as JSON. */
export const successResponse = (text: string, headers: Record<string, string>): Response =>
  jsonResponse(200, text, headers);

type TaggedBody = { text: string; tag: string };

/** A success with an entity tag, or 304 if the client has this version already. */
export function taggedResponse(
  { text, tag }: TaggedBody,
  request: Request,
  headers: Record<string, string>,
): Response {
  const listed = listedTag(request.headers.get('if-none-match'), tag, { weakly: true });
  headers['etag'] = listed ?? tag;
  if (listed === undefined) return successResponse(text, headers);
  headers['cache-control'] = 'no-store';
  return new Response(null, { status: 304, headers });
}
