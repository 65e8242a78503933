import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../load-routes.ts';
import type { JsonSchema, OpenApiResponse } from './document.ts';
import { type ExampleValues, exampleOf } from './example.ts';
import {
  headersOfEvents,
  headersOfRepeatable,
  headersOfStatus,
  headersOfTagged,
} from './headers.ts';

type SuccessContent = {
  body: JsonSchema;
  requestValues: ExampleValues;
};

/** The success responses of a call, by status. */
export function successResponses(
  route: Route,
  { body, requestValues }: SuccessContent,
): Record<string, OpenApiResponse> {
  const { hasEntityTag, returnsFile } = route.operation;
  const unchanged = {
    description: 'Nothing has changed since the answer with this ETag',
    headers: headersOfStatus(304),
  };
  if (returnsFile) {
    return {
      200: {
        description: 'The file, under its own media type',
        headers: headersOfTagged(),
        content: bytes,
      },
      206: {
        description: 'The requested part of the file',
        headers: headersOfStatus(206),
        content: bytes,
      },
      304: unchanged,
    };
  }
  const content = {
    'application/json': { schema: body, example: exampleOf(body, { requestValues }) },
    ...(route.subscription ? events : {}),
  };
  if (hasEntityTag)
    return { 200: { description: 'Success', headers: headersOfTagged(), content }, 304: unchanged };
  const headers = takesIdempotencyKey(route) ? headersOfRepeatable() : headersOfStatus(200);
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
      description:
        'The events of the run while it happens. The last event, done, holds the same JSON.',
    },
  },
};
