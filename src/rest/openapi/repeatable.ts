import { idempotencyKeyCharsMax, idempotencyKeyForm, takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../router.ts';
import type { Parameter } from './document.ts';

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A name of your own for this request, such as a UUID, so that it can be sent again without being done again.',
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyCharsMax, pattern: idempotencyKeyForm },
  example: '9e7c1f04-6a1f-4c37-8a55-0d4f3f6f2b1c',
};

/** What a call takes besides what its operation asks for. */
export const headerParametersOf = ({ method }: Route): Parameter[] => (takesIdempotencyKey(method) ? [idempotencyKey] : []);
