import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../router.ts';
import type { Answer, Schema } from './document.ts';
import { exampleOf, type Known } from './example.ts';
import { headersOf, headersOfEvents, headersOfRepeatable, headersOfTagged } from './headers.ts';

type Shown = { body: Schema; known: Known; schemas: Record<string, Schema> };

/** The answers to a call that was not refused, by status. */
export function successAnswers(
  route: Route,
  { body, known, schemas }: Shown,
): Record<string, Answer> {
  const { isTagged, givesFile } = route.operation;
  const unchanged = {
    description: 'Nothing has changed since the answer with this ETag',
    headers: headersOf(304),
  };
  if (givesFile) {
    return {
      200: {
        description: 'The file, under its own media type',
        headers: headersOfTagged(),
        content: bytes,
      },
      206: {
        description: 'The part of the file that was asked for',
        headers: headersOf(206),
        content: bytes,
      },
      304: unchanged,
    };
  }
  const content = {
    'application/json': { schema: body, example: exampleOf(body, { known, schemas }) },
    ...(route.subscription ? events : {}),
  };
  if (isTagged)
    return { 200: { description: 'Success', headers: headersOfTagged(), content }, 304: unchanged };
  const headers = takesIdempotencyKey(route) ? headersOfRepeatable() : headersOf(200);
  return {
    200: {
      description: 'Success',
      headers: { ...headers, ...(route.subscription && headersOfEvents()) },
      content,
    },
  };
}

const bytes = {
  '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
};

const events = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'What happens as it happens; the last event, done, holds the same JSON.',
    },
  },
};
