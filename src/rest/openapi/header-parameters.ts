import { idempotencyKeyCharsMax, idempotencyKeyForm } from '../../platform/idempotency/key-form.ts';
import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../load-routes.ts';
import { takesDryRun } from '../prefer.ts';
import type { OpenApiParameter } from './document.ts';

export const exampleTag = '"k3JtRz0mQ1yWc8vB"';

const idempotencyKey: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique key of your choice for this request, such as a UUID. Requests with the same key are executed once, so the request can be repeated safely.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: idempotencyKeyCharsMax,
    pattern: idempotencyKeyForm,
  },
  example: '9e7c1f04-6a1f-4c37-8a55-0d4f3f6f2b1c',
};

const ifNoneMatch: OpenApiParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of a previous response. If nothing has changed since, the response is 304 without a body.',
  schema: { type: 'string' },
  example: exampleTag,
};

const ifMatch: OpenApiParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of a GET of this resource. If the resource has changed since, the request is refused with 412 and changes nothing.',
  schema: { type: 'string' },
  example: exampleTag,
};

const ifMatchOfRead: OpenApiParameter = {
  ...ifMatch,
  description:
    'The ETag of a previous response. If something has changed since, the response is 412.',
};

const prefer: OpenApiParameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'With dry-run the request is answered as usual and changes nothing. Preference-Applied in the response confirms it. Other preferences are ignored.',
  schema: { type: 'string' },
  example: 'dry-run',
};

const preferAsync: OpenApiParameter = {
  ...prefer,
  description: `${prefer.description} With respond-async the run is durable, and the answer comes before it ends: 202 with its id.`,
};

const range: OpenApiParameter = {
  name: 'Range',
  in: 'header',
  required: false,
  description:
    'The range of bytes to return. Several ranges, or a malformed one, return the complete file.',
  schema: { type: 'string' },
  example: 'bytes=0-1023',
};

/** Whether a call reads something that has an entity tag. */
const isTaggedRead = ({ method, operation, resource }: Route): boolean =>
  operation.hasEntityTag || operation.returnsFile || (method === 'GET' && resource !== undefined);

/** Whether a call compares If-Match with the entity tag of what it reads or changes. */
export const takesIfMatch = (route: Route): boolean =>
  isTaggedRead(route) || route.resource !== undefined;

/** The headers that a call accepts in addition to the variables of its operation. */
export const headerParametersOf = (route: Route): OpenApiParameter[] => [
  ...(takesIdempotencyKey(route) ? [idempotencyKey] : []),
  ...(isTaggedRead(route) ? [ifNoneMatch, ifMatchOfRead] : takesIfMatch(route) ? [ifMatch] : []),
  ...(takesDryRun(route) ? [route.durable ? preferAsync : prefer] : []),
  ...(route.operation.returnsFile ? [range] : []),
];
