import { idempotencyKeyCharsMax, idempotencyKeyForm } from '../../platform/idempotency/key-form.ts';
import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../load-routes.ts';
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

const range: OpenApiParameter = {
  name: 'Range',
  in: 'header',
  required: false,
  description:
    'The range of bytes to return. Several ranges, or a malformed one, return the complete file.',
  schema: { type: 'string' },
  example: 'bytes=0-1023',
};

/** The headers that a call accepts in addition to the variables of its operation. */
export const headerParametersOf = (route: Route): OpenApiParameter[] => [
  ...(takesIdempotencyKey(route) ? [idempotencyKey] : []),
  ...(route.operation.hasEntityTag || route.operation.returnsFile ? [ifNoneMatch] : []),
  ...(route.operation.returnsFile ? [range] : []),
];
