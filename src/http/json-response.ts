import { TextResponse } from './text-response.ts';

/** `text` is the body as JSON. */
export function jsonResponse(
  status: number,
  text: string,
  headers: Record<string, string>,
  type = 'application/json; charset=utf-8',
): Response {
  headers['content-type'] = type;
  headers['cache-control'] = 'no-store';
  return new TextResponse(text, { status, headers });
}
