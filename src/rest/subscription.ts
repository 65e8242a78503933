import { readFileSync } from 'node:fs';
import { type ExecutionResult, type GraphQLSchema, parse, subscribe, validate } from 'graphql';
import type { Context } from '../graph/context.ts';

/** The events of a call; where it is refused before the first, the refusal. */
export type Subscription = (
  context: Context,
  variables: Record<string, unknown>,
) => Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;

const folder = new URL('../../schema/operations/', import.meta.url);

/**
 * The subscription that answers an event stream, read from its file and checked. It takes the
 * variables of its call.
 */
export function loadSubscription(schema: GraphQLSchema, file: string): Subscription {
  const document = parse(readFileSync(new URL(`${file}.graphql`, folder), 'utf8'), {
    noLocation: true,
  });
  const [fault] = validate(schema, document);
  if (fault) throw new Error(`The subscription ${file} does not fit the schema: ${fault.message}`);
  return async (contextValue, variableValues) =>
    subscribe({ schema, document, contextValue, variableValues });
}
