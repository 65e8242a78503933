import { type ErrorCode, errorCatalogue } from '../../platform/errors.ts';
import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../router.ts';
import { placeOf } from '../variables.ts';
import type { Answer, Example, Reference } from './document.ts';
import { headersOf } from './headers.ts';

type Refusal = { code: ErrorCode; meaning: string };

/**
 * The answers to a refused call, by status. Those that mean what the catalogue says stand under the
 * components.
 */
export function refusalAnswers(route: Route): Record<string, Answer | Reference> {
  const byStatus = Map.groupBy(refusalsOf(route), ({ code }) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => [
      status,
      referenceTo(refusals) ?? refusalAnswer(refusals),
    ]),
  );
}

/**
 * One answer for each code of the catalogue; those that no call refers to are left out of a
 * document.
 */
export const commonRefusals = (): Record<string, Answer> =>
  Object.fromEntries(
    catalogue().map(([code, { meaning }]) => [code, refusalAnswer([{ code, meaning }])]),
  );

/** What its kind of call can meet, and what its row says of its rule. */
function refusalsOf(route: Route): Refusal[] {
  const { method, row, operation } = route;
  const readsBody = method !== 'GET' && method !== 'DELETE';
  const places = operation.variables.map(({ name }) => placeOf({ route }, name));
  const met = new Set<ErrorCode>([
    'UNAUTHENTICATED',
    'EXPECTATION_FAILED',
    'RATE_LIMITED',
    'HEADERS_TOO_LARGE',
    'INTERNAL',
    'UNAVAILABLE',
  ]);
  if (readsBody || places.includes('query')) met.add('BAD_INPUT');
  if (readsBody) met.add('REQUEST_TIMEOUT').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (operation.takesFile) met.add('STORAGE_FULL');
  if (operation.givesFile) met.add('RANGE_NOT_SATISFIABLE');
  if (places.includes('header')) met.add('PRECONDITION_FAILED');
  if (takesIdempotencyKey(route)) met.add('STILL_RUNNING').add('IDEMPOTENCY_KEY_REUSED');
  if (places.includes('path')) met.add('NOT_FOUND');
  if (operation.scopes.manages?.keyFeatures.length || operation.scopes.enabled?.keyFeatures.length)
    met.add('FEATURE_DISABLED');
  return catalogue().flatMap(([code, { meaning }]) => {
    const said = row.refusals[code];
    return said || met.has(code) ? [{ code, meaning: said ?? meaning }] : [];
  });
}

function referenceTo([refusal, ...others]: Refusal[]): Reference | undefined {
  const common =
    refusal && others.length === 0 && refusal.meaning === errorCatalogue[refusal.code].meaning;
  return common ? { $ref: `#/components/responses/${refusal.code}` } : undefined;
}

function refusalAnswer(refusals: Refusal[]): Answer {
  const status = Math.max(...refusals.map(({ code }) => errorCatalogue[code].status));
  const examples = refusals.map(({ code, meaning }): [string, Example] => [
    code,
    { value: exampleBody(code, sentence(meaning)) },
  ]);
  return {
    description: sentence(refusals.map(({ meaning }) => meaning).join('; or ')),
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const exampleBody = (code: ErrorCode, message: string) => ({
  ...{ status: 'error', message, code, requestId: '6f1c2a0e-5d3b-4c8e-9f57-2f3a1b0c4d6e' },
  ...(code === 'BAD_INPUT'
    ? { errors: [{ field: 'name', code: 'REQUIRED', message: 'name is required' }] }
    : {}),
});

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(errorCatalogue, name);

const catalogue = () =>
  Object.entries(errorCatalogue).flatMap(([code, entry]): [ErrorCode, typeof entry][] =>
    isErrorCode(code) ? [[code, entry]] : [],
  );
