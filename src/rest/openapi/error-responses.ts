import { type ErrorCode, errorCatalogue } from '../../platform/errors.ts';
import { takesIdempotencyKey } from '../idempotency-key.ts';
import type { Route } from '../load-routes.ts';
import { hasForm, locationOf } from '../variables.ts';
import type { OpenApiExample, OpenApiReference, OpenApiResponse } from './document.ts';
import { takesIfMatch } from './header-parameters.ts';
import { headersOfExhausted, headersOfStatus } from './headers.ts';
import { recordedError } from './recorded-examples.ts';

type DocumentedError = { code: ErrorCode; meaning: string };
/** The method and the path of a call, whose recorded errors are the examples. */
type CallName = Pick<Route, 'method' | 'path'>;

/**
 * The error responses of a call, by status. Those with the meaning of the catalogue refer to the
 * components.
 */
export function errorResponses(route: Route): Record<string, OpenApiResponse | OpenApiReference> {
  const byStatus = Map.groupBy(
    documentedErrorsOf(route),
    ({ code }) => errorCatalogue[code].status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      status,
      referenceTo(errors) ?? documentedResponse(errors, route),
    ]),
  );
}

/**
 * One response for each code of the catalogue. The document leaves out those that no call refers
 * to.
 */
export const commonErrorResponses = (): Record<string, OpenApiResponse> =>
  Object.fromEntries(
    catalogue().map(([code, { meaning }]) => [code, documentedResponse([{ code, meaning }])]),
  );

/** The errors that every call of this kind can return, and those that the route declares. */
function documentedErrorsOf(route: Route): DocumentedError[] {
  const { method, definition, operation } = route;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const locations = operation.variables.map(({ name }) => locationOf({ route }, name));
  const isConditional = operation.variables.some(({ name }) => name === 'ifMatch');
  const possibleCodes = new Set<ErrorCode>([
    'UNAUTHENTICATED',
    'EXPECTATION_FAILED',
    'RATE_LIMITED',
    'HEADERS_TOO_LARGE',
    'INTERNAL',
    'UNAVAILABLE',
  ]);
  const takesForm = operation.variables.some(
    (variable) => hasForm(variable) && locationOf({ route }, variable.name) === 'path',
  );
  if (
    hasBody ||
    takesForm ||
    locations.includes('query') ||
    (locations.includes('header') && !isConditional)
  )
    possibleCodes.add('BAD_INPUT');
  if (hasBody)
    possibleCodes.add('REQUEST_TIMEOUT').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (operation.takesFile) possibleCodes.add('STORAGE_FULL');
  if (operation.returnsFile) possibleCodes.add('RANGE_NOT_SATISFIABLE');
  if (isConditional || takesIfMatch(route)) possibleCodes.add('PRECONDITION_FAILED');
  if (takesIdempotencyKey(route)) possibleCodes.add('STILL_RUNNING').add('IDEMPOTENCY_KEY_REUSED');
  if (locations.includes('path')) possibleCodes.add('NOT_FOUND');
  if (operation.scopes.manages?.keyFeatures.length || operation.scopes.enabled?.keyFeatures.length)
    possibleCodes.add('FEATURE_DISABLED');
  return catalogue().flatMap(([code, { meaning }]) => {
    const routeMeaning = definition.errors[code];
    return routeMeaning || possibleCodes.has(code)
      ? [{ code, meaning: routeMeaning ?? meaning }]
      : [];
  });
}

function referenceTo([error, ...otherErrors]: DocumentedError[]): OpenApiReference | undefined {
  const common =
    error && otherErrors.length === 0 && error.meaning === errorCatalogue[error.code].meaning;
  return common ? { $ref: `#/components/responses/${error.code}` } : undefined;
}

function documentedResponse(errors: DocumentedError[], call?: CallName): OpenApiResponse {
  const status = Math.max(...errors.map(({ code }) => errorCatalogue[code].status));
  const examples = errors.map(({ code, meaning }): [string, OpenApiExample] => [
    code,
    { value: recordedError(code, call) ?? exampleBody(code, sentence(meaning)) },
  ]);
  return {
    description: sentence(errors.map(({ meaning }) => meaning).join('; or ')),
    headers: errors.some(({ code }) => code === 'BUDGET_EXHAUSTED')
      ? headersOfExhausted()
      : headersOfStatus(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorBody' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The example of an error that has not been recorded yet. */
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
