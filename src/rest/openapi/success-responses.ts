import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../load-routes.ts';
import { rowFormats } from '../row-formats.ts';
import type { JsonSchema, OpenApiMediaType, OpenApiResponse } from './document.ts';
import { type ExampleValues, exampleOf } from './example.ts';
import {
  headersOfEvents,
  headersOfList,
  headersOfRun,
  headersOfStatus,
  headersOfTagged,
  headersOfWrite,
} from './headers.ts';
import { recordedCall } from './recorded-examples.ts';

type SuccessContent = {
  body: JsonSchema;
  requestValues: ExampleValues;
  /** The union of the events, if the answer can be a stream. */
  events: JsonSchema | undefined;
};

/** The success responses of a call, by status. */
export function successResponses(
  route: Route,
  { body, requestValues, events }: SuccessContent,
): Record<string, OpenApiResponse> {
  const { hasEntityTag, listsPages, returnsFile } = route.operation;
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
    'application/json': {
      schema: body,
      example: recordedCall(route)?.answer ?? exampleOf(body, { requestValues }),
    },
    ...(events && { 'text/event-stream': eventContent(route, events) }),
    ...(route.rowExport ? rowContents(route.rowExport) : {}),
  };
  const isRead = route.method === 'GET';
  if (hasEntityTag || (isRead && route.resource))
    return { 200: { description: 'Success', headers: headersOfTagged(), content }, 304: unchanged };
  const readHeaders = listsPages ? headersOfList() : headersOfStatus(200);
  const headers = isRead
    ? readHeaders
    : headersOfWrite({ isRepeatable: takesIdempotencyKey(route) });
  return {
    200: {
      description: 'Success',
      headers: {
        ...headers,
        ...(events && headersOfEvents()),
        ...(route.definition.errors.BUDGET_EXHAUSTED && headersOfRun()),
      },
      content,
    },
  };
}

/** The response to a request that prefers not to wait for the end of its run. */
export const acceptedResponse = (body: JsonSchema): Record<string, OpenApiResponse> => ({
  202: {
    description:
      'With Prefer: respond-async the run is durable: it goes on without the client, which reads it at Location. If the client accepts text/event-stream, the answer is 200 with the events of the durable run, and the same headers.',
    headers: headersOfStatus(202),
    content: { 'application/json': { schema: body, example: exampleOf(body, {}) } },
  },
});

const bytes = {
  '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
};

const rowContents = ({ columns, hasEnd }: NonNullable<Route['rowExport']>) => ({
  [rowFormats.csv.mediaType]: {
    schema: {
      type: 'string',
      description:
        'Every entry of the list as a row, in UTF-8 with CRLF (RFC 4180), after a row of names. Null is empty. A text that a spreadsheet would take for a formula begins with an apostrophe.',
    },
    example: rowFormats.csv.head(columns),
  },
  [rowFormats.ndjson.mediaType]: {
    schema: {
      type: 'string',
      description: `Every entry of the list as JSON, one in a line.${hasEnd ? ' The last line is the end of the list, with what the other lines are checked with.' : ''}`,
    },
  },
});

/** The first recorded event of each name is an example. */
function eventContent(route: Route, schema: JsonSchema): OpenApiMediaType {
  const recorded = recordedCall(route)?.events ?? [];
  const byName = new Map(recorded.toReversed().map((event) => [event.event, { value: event }]));
  return {
    schema: {
      ...schema,
      description:
        'One event of the stream: its name, and its data as JSON. The stream ends with done, whose data is the JSON answer, or with error.',
    },
    examples: Object.fromEntries(byName),
  };
}
