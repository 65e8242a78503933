import {
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isValueNode,
  Kind,
} from 'graphql';
import { type ClientError, rootCause, toClientError } from '../../http/client-error.ts';
import { errorCatalogue, type FieldErrorCode } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { extensionsOf, pathOf } from '../document/error-extensions.ts';

type MaskingContext = {
  schema: GraphQLSchema;
  executed: boolean;
  requestId: string;
  log: Log;
  /** Whether the errors are an event of a stream. */
  inStream?: boolean;
};

/**
 * Replaces errors with their client-safe form: each has a code of the catalogue, and none repeats a
 * value of the request.
 */
export function maskErrors(
  errors: readonly GraphQLError[],
  context: MaskingContext,
): GraphQLError[] {
  return errors.map((error) => {
    const refusal = toRequestError(error, context) ?? toClientError(error, context);
    const { nodes, source, positions, path, locations } = error;
    const extensions = extensionsOf(namedByArgument(refusal, error, context));
    const http = context.executed
      ? {}
      : { http: context.inStream ? httpOfStream : httpOf(refusal.code) };
    const masked = new GraphQLError(refusal.message, {
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

/** A rule names the fields of its input, which GraphQL passes in the argument `input`. */
function namedByArgument(
  refusal: ClientError,
  { nodes: [node] = [] }: GraphQLError,
  { schema, executed }: MaskingContext,
): ClientError {
  if (!executed || !refusal.errors || node?.kind !== Kind.FIELD) return refusal;
  const input = [schema.getMutationType(), schema.getSubscriptionType()]
    .flatMap((type) => type?.getFields()[node.name.value]?.args ?? [])
    .find(({ name }) => name === 'input');
  const type = input && getNamedType(input.type);
  if (!isInputObjectType(type)) return refusal;
  const isInput = (field: string) => Object.hasOwn(type.getFields(), String(pathOf(field)[0]));
  return {
    ...refusal,
    errors: refusal.errors.map((fault) =>
      isInput(fault.field) ? { ...fault, field: `input.${fault.field}` } : fault,
    ),
  };
}

// Yoga reads this extension and does not send it. `spec`: with `Accept: application/json` an error
// in a well-formed request has status 200 (GraphQL over HTTP, section 6.4).
const httpOf = (code: ClientError['code']) => ({
  status: errorCatalogue[code].status,
  spec: code === 'BAD_INPUT',
  headers: code === 'METHOD_NOT_ALLOWED' ? { allow: 'POST' } : {},
});

// A refusal is the event `next` of a stream, as GraphQL over SSE says. Clients read no events from an
// answer with another status.
const httpOfStream = { status: 200 };

/**
 * Errors of graphql-js about the document or its variables. After execution has started, only those
 * that point at a value are caused by the client.
 */
function toRequestError(
  error: GraphQLError,
  { executed, requestId }: MaskingContext,
): ClientError | undefined {
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

// The document is the `query` field of the request.
const documentField = 'query';

const badInput = (
  requestId: string,
  field: string,
  code: FieldErrorCode,
  message: string,
): ClientError => ({
  code: 'BAD_INPUT',
  message,
  requestId,
  errors: [{ field, code, message }],
});

/**
 * Removes the quoted value from a message of graphql-js. A password in the wrong position must not
 * be returned, because clients may log responses.
 */
function withoutValues({ message, nodes }: GraphQLError): string {
  if (nodes?.some(isValueNode)) return message.replace(/(, found| value:) .*$/s, '');
  return message.startsWith('Syntax Error')
    ? message.replace(/\b(Name|String|BlockString|Int|Float) ".*"/s, '$1')
    : message;
}
