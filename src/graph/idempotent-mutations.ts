import { createHmac } from 'node:crypto';
import { Response } from '@whatwg-node/fetch';
import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Context } from '../access/context.ts';
import { executeOnce } from '../access/idempotent-request.ts';
import type { ScopeMap } from '../access/scope-map.ts';
import { requireScopes } from '../access/scopes.ts';
import { TextResponse } from '../http/text-response.ts';
import { inputError } from '../platform/errors.ts';
import { requireKeyForm } from '../platform/idempotency/key-form.ts';
import { createSeal } from '../platform/idempotency/seal.ts';
import { type AnswerType, eventStreamType, secretAnswer } from './answer-type.ts';
import { graphLimits } from './document/limits.ts';
import type { GraphQLParams } from './graphql-params.ts';
import { scopesOfField } from './schema/scope-check.ts';

type GraphRequest = {
  params: GraphQLParams;
  accept: AnswerType;
  headers: Record<string, string>;
  setCookies: string[];
};
type ExecuteRequest = (context: Context) => Promise<Response>;

/**
 * Executes a request with an Idempotency-Key if it contains a mutation, or repeats its stored
 * answer.
 */
export type IdempotentMutations = (
  idempotencyKey: string | null,
  request: GraphRequest,
  context: Context,
  execute: ExecuteRequest,
) => Promise<Response>;

/** The stored parts of an answer. */
type StoredAnswer = { text: string; setCookies: string[] };

/**
 * As for REST, a successful mutation is executed once in 24 hours for each Idempotency-Key of a
 * caller, and its answer is repeated. Answers with errors are not stored. Answers can contain a new
 * API key or a one-time link, so they are encrypted. Queries change nothing, so the key is ignored.
 */
export function createIdempotentMutations({
  schema,
  secret,
}: {
  schema: GraphQLSchema;
  secret: string;
}): IdempotentMutations {
  const seal = createSeal(secret, 'idempotent answers of the graph');

  return async (idempotencyKey, request, context, execute) => {
    const parsed = idempotencyKey === null ? undefined : operationOf(request.params);
    if (idempotencyKey === null || !parsed || parsed.operation.operation === 'query')
      return execute(context);
    const { document, operation } = parsed;
    const { accept, headers, setCookies, params } = request;
    if (operation.operation === 'subscription' || accept === eventStreamType)
      throw inputError(
        'Idempotency-Key',
        'INVALID',
        'An event stream cannot be repeated: leave out the Idempotency-Key, or accept application/json',
      );
    const key = requireKeyForm(idempotencyKey);
    const caller = callerOf(context);
    const fingerprint = createHmac('sha256', secret)
      .update(
        `idempotency\ngraphql\n${JSON.stringify([caller, params.operationName ?? null, params.query, params.variables])}`,
      )
      .digest();
    try {
      const stored = await executeOnce({ context, key, fingerprint, seal }, async (admitted) => {
        const response = await execute(admitted);
        const text = await response.text();
        if (response.status !== 200 || 'errors' in Object(JSON.parse(text)))
          throw new UnsavedAnswer(new Response(text, response));
        return JSON.stringify({ text, setCookies } satisfies StoredAnswer);
      });
      const answer: StoredAnswer = JSON.parse(stored.text);
      if (stored.replayed) {
        // A caller who has lost the permission must not see the stored answer.
        for (const scopes of scopesOf(schema, document, operation)) requireScopes(context, scopes);
        headers['idempotency-replayed'] = 'true';
        setCookies.splice(0, setCookies.length, ...answer.setCookies);
      }
      headers['content-type'] = `${accept}; charset=utf-8`;
      headers['cache-control'] = secretAnswer;
      const { text } = answer;
      return setCookies.length > 0
        ? new Response(text, { status: 200, headers })
        : new TextResponse(text, { status: 200, headers });
    } catch (error) {
      if (error instanceof UnsavedAnswer) return error.response;
      throw error;
    }
  };
}

/**
 * Thrown for an answer with errors: the record of the request is abandoned and the answer is sent
 * unchanged.
 */
class UnsavedAnswer extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super('the answer has errors');
    this.response = response;
  }
}

/** Undefined for a document that cannot be executed; normal execution then reports the error. */
function operationOf({
  query,
  operationName,
}: GraphQLParams): { document: DocumentNode; operation: OperationDefinitionNode } | undefined {
  try {
    const document = parse(query, { noLocation: true, maxTokens: graphLimits.tokens });
    const operation = getOperationAST(document, operationName);
    return operation ? { document, operation } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A session and a key of the same person are different callers, because a session may have more
 * permissions.
 */
function callerOf({ viewer }: Context): string {
  if (!viewer?.organizationId)
    throw inputError(
      'Idempotency-Key',
      'INVALID',
      'An Idempotency-Key needs an API key, or a session in an organization; leave it out',
    );
  return viewer.kind;
}

/** The scopes that the mutation fields of an operation require, where they are declared as data. */
function scopesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ScopeMap[] {
  const types = new TypeInfo(schema);
  const scopes: ScopeMap[] = [];
  const operationDocument = {
    ...document,
    definitions: document.definitions.filter(
      (node) => node === operation || node.kind === Kind.FRAGMENT_DEFINITION,
    ),
  };
  visit(
    operationDocument,
    visitWithTypeInfo(types, {
      Field: () => {
        const field = types.getFieldDef();
        if (field && types.getParentType() === schema.getMutationType())
          scopes.push(scopesOfField(field));
      },
    }),
  );
  return scopes;
}
