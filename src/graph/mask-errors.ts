import { GraphQLError, isValueNode } from 'graphql';
import { errorCatalogue, type FieldErrorCode } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { type Refusal, refusalOf } from './errors.ts';

type Telling = { executed: boolean; requestId: string; log: Log };

/**
 * The errors of an answer as its sender may read them: each with a code of the catalogue, none with
 * a value of the request.
 */
export function maskErrors(errors: readonly GraphQLError[], telling: Telling): GraphQLError[] {
  return errors.map((error) => {
    const { message, ...extensions } = faultOfSender(error, telling) ?? refusalOf(error, telling);
    const { nodes, source, positions, path, locations } = error;
    const http = telling.executed ? {} : { http: httpOf(extensions.code) };
    const masked = new GraphQLError(message, {
      nodes: nodes ?? null,
      source,
      positions,
      path,
      extensions: { ...extensions, ...http },
    });
    // Errors of compiled operations have locations, but not the nodes that they come from.
    if (locations && !masked.locations)
      Object.defineProperty(masked, 'locations', { value: locations, enumerable: true });
    return masked;
  });
}

// Yoga reads this and keeps it to itself: a fault in a well-formed request is a 200 for who accepts
// application/json only (GraphQL over HTTP, 6.4).
const httpOf = (code: Refusal['code']) => ({
  status: errorCatalogue[code].status,
  spec: code === 'BAD_INPUT',
  headers: code === 'METHOD_NOT_ALLOWED' ? { allow: 'POST' } : {},
});

/**
 * GraphQL's own complaints about a document or its variables. Once execution has begun, only those
 * that point at a value are the sender's.
 */
function faultOfSender(error: GraphQLError, { executed, requestId }: Telling): Refusal | undefined {
  const cause = rootCause(error);
  if (!(cause instanceof GraphQLError)) return undefined;
  if (executed) {
    if (!cause.nodes?.some(isValueNode)) return undefined;
    const [, argument = documentField] = /^Argument "(\w+)"/.exec(cause.message) ?? [];
    return badInput(
      requestId,
      argument,
      'INVALID',
      cause.message.replace(/ has invalid value .*$/s, ' is not valid'),
    );
  }
  if (Object(cause.extensions['http']).status === 405)
    return { code: 'METHOD_NOT_ALLOWED', message: cause.message, requestId };
  return badInput(requestId, documentField, 'INVALID_FORMAT', withoutValues(cause));
}

// The document is the field `query` of the request.
const documentField = 'query';

const badInput = (
  requestId: string,
  field: string,
  code: FieldErrorCode,
  message: string,
): Refusal => ({
  code: 'BAD_INPUT',
  message,
  requestId,
  errors: [{ field, code, message }],
});

const rootCause = (error: GraphQLError): Error =>
  error.originalError instanceof GraphQLError
    ? rootCause(error.originalError)
    : (error.originalError ?? error);

/**
 * GraphQL quotes what it stumbles over; a password in the wrong place must not come back, nor end
 * in somebody's log of answers.
 */
function withoutValues({ message, nodes }: GraphQLError): string {
  if (nodes?.some(isValueNode)) return message.replace(/(, found| value:) .*$/s, '');
  return message.startsWith('Syntax Error')
    ? message.replace(/\b(Name|String|BlockString|Int|Float) ".*"/s, '$1')
    : message;
}
