import { idempotencyKeyCharsMax, idempotencyKeyForm } from '../../platform/idempotency/key-form.ts';
import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../router.ts';
import type { Parameter } from './document.ts';

export const exampleTag = '"k3JtRz0mQ1yWc8vB"';

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your own for this request, such as a UUID, so that it can be sent again without being done again.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: idempotencyKeyCharsMax,
    pattern: idempotencyKeyForm,
  },
  example: '9e7c1f04-6a1f-4c37-8a55-0d4f3f6f2b1c',
};

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of an earlier answer. Where nothing has changed since, the answer is 304 without a body.',
  schema: { type: 'string' },
  example: exampleTag,
};

const range: Parameter = {
  name: 'Range',
  in: 'header',
  required: false,
  description:
    'The one part of the file that is wanted. Several, or one that is malformed, mean the whole file.',
  schema: { type: 'string' },
  example: 'bytes=0-1023',
};

/** What a call takes besides what its operation asks for. */
export const headerParametersOf = (route: Route): Parameter[] => [
  ...(takesIdempotencyKey(route) ? [idempotencyKey] : []),
  ...(route.operation.isTagged || route.operation.givesFile ? [ifNoneMatch] : []),
  ...(route.operation.givesFile ? [range] : []),
];
