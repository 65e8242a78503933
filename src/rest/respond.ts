import { Response } from '@whatwg-node/fetch';
import { addVaryOfUnmodified } from '../http/compression.ts';
import { listedTag, requireMatch } from '../http/entity-tags.ts';
import { jsonResponse } from '../http/json-response.ts';
import { pageInfoField } from './list-links.ts';

type ResponseEnvelope = Readonly<Record<string, unknown>>;

/**
 * Builds the body of a success: the envelope, the fields of the root alias `result`, and every
 * other root alias under its name. Inside `result`, an object with the alias `result` is spread as
 * well. The position of a page is sent in the `Link` header, not in the body.
 */
export const bodyOf = (
  envelope: ResponseEnvelope,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({ ...envelope, ...spreadResult(data) });

function spreadResult({ result, ...named }: Readonly<Record<string, unknown>>): object {
  if (typeof result !== 'object') return named;
  const { [pageInfoField]: _, ...fields } = Object(result);
  return { ...spreadResult(fields), ...named };
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
  requireMatch(request.headers, tag);
  const listed = listedTag(request.headers.get('if-none-match'), tag, { weakly: true });
  headers['etag'] = listed ?? tag;
  if (listed === undefined) return successResponse(text, headers);
  headers['cache-control'] = 'no-store';
  addVaryOfUnmodified(headers, text);
  return new Response(null, { status: 304, headers });
}
