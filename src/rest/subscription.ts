import { type ExecutionResult, validate } from 'graphql';
import type { Context } from '../access/context.ts';
import type { Executor } from '../graph/execute/execute.ts';
import { readOperation } from './read-operation.ts';

/**
 * Starts a subscription. Returns its events, or the error if it is rejected before the first event.
 */
export type StartSubscription = (
  context: Context,
  variables: Record<string, unknown>,
) => Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;

/**
 * Loads a subscription from its file and validates it. It has the same variables as the operation
 * of its call.
 */
export function loadSubscription(executor: Executor, file: string): StartSubscription {
  const { document } = readOperation(file);
  const [fault] = validate(executor.schema, document);
  if (fault) throw new Error(`The subscription ${file} does not fit the schema: ${fault.message}`);
  return async (context, variables) => executor.subscribe({ document, context, variables });
}
