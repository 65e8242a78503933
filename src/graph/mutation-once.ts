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
import { inputError } from '../platform/errors.ts';
import { requireKeyForm } from '../platform/idempotency/key-form.ts';
import { createSeal } from '../platform/idempotency/seal.ts';
import { TextResponse } from '../platform/text-response.ts';
import { type AnswerType, eventStreamType } from './answer-type.ts';
import type { Context } from './context.ts';
import type { GraphQLParams } from './graphql-params.ts';
import { executeOnce } from './idempotent-request.ts';
import { graphLimits } from './limits.ts';
import { scopesOfField } from './scope-check.ts';
import { requireScopes, type ScopeMap } from './scopes.ts';

type GraphRequest = {
  params: GraphQLParams;
  accept: AnswerType;
  headers: Record<string, string>;
  setCookies: string[];
};
type Execute = (context: Context) => Promise<Response>;

/** Executes the mutation of a request that carries an Idempotency-Key, or repeats its answer. */
export type MutationOnce = (
  idempotencyKey: string | null,
  request: GraphRequest,
  context: Context,
  execute: Execute,
) => Promise<Response>;

/** What is stored of an answer: its body, and the cookies that it set. */
type StoredAnswer = { text: string; setCookies: string[] };

/**
 * The same as for REST: a mutation that succeeded is executed once in 24 hours for each key of a
 * caller, and its answer is repeated. An answer with errors is not kept. Answers can hold a new API
 * key or a one-time link, so what is stored of them is encrypted. Queries change nothing, so they
 * are executed as if there were no key.
 */
export function createMutationOnce({
  schema,
  secret,
}: {
  schema: GraphQLSchema;
  secret: string;
}): MutationOnce {
  const seal = createSeal(secret, 'idempotent answers of the graph');

  return async (idempotencyKey, request, context, execute) => {
    const found = idempotencyKey === null ? undefined : operationOf(request.params);
    if (idempotencyKey === null || !found || found.operation.operation === 'query')
      return execute(context);
    const { document, operation } = found;
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
          throw new NotKept(new Response(text, response));
        return JSON.stringify({ text, setCookies } satisfies StoredAnswer);
      });
      const answer: StoredAnswer = JSON.parse(stored.text);
      if (stored.replayed) {
        // What the caller may no longer do, the caller is not shown either.
        for (const scopes of scopesOf(schema, document, operation)) requireScopes(context, scopes);
        headers['idempotency-replayed'] = 'true';
        setCookies.splice(0, setCookies.length, ...answer.setCookies);
      }
      headers['content-type'] = `${accept}; charset=utf-8`;
      const { text } = answer;
      return setCookies.length > 0
        ? new Response(text, { status: 200, headers })
        : new TextResponse(text, { status: 200, headers });
    } catch (error) {
      if (error instanceof NotKept) return error.response;
      throw error;
    }
  };
}

/**
 * An answer with errors: the record of the request is given up, and the answer goes out as it is.
 */
class NotKept extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super('the answer has errors');
    this.response = response;
  }
}

/**
 * A document that cannot be executed has no operation: the ordinary way says what is wrong with it.
 */
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

/** A session and the keys of the same person are different callers: a session may do more. */
function callerOf({ viewer }: Context): string {
  if (!viewer?.organizationId)
    throw inputError(
      'Idempotency-Key',
      'INVALID',
      'An Idempotency-Key needs an API key, or a session in an organization; leave it out',
    );
  return viewer.kind;
}

/** What the root fields of an operation ask of their caller, as far as that is data. */
function scopesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ScopeMap[] {
  const types = new TypeInfo(schema);
  const scopes: ScopeMap[] = [];
  const own = {
    ...document,
    definitions: document.definitions.filter(
      (node) => node === operation || node.kind === Kind.FRAGMENT_DEFINITION,
    ),
  };
  visit(
    own,
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
