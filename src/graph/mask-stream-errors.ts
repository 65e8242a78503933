import { type ExecutionResult, GraphQLError } from 'graphql';

type Tell = (errors: readonly GraphQLError[]) => GraphQLError[];

/**
 * A stream of results whose errors are told as `tell` has it. Where its source fails, that is its
 * last result.
 */
export function maskStreamErrors(
  results: AsyncIterable<ExecutionResult>,
  tell: Tell,
): AsyncIterableIterator<ExecutionResult, undefined> {
  const source = results[Symbol.asyncIterator]();
  let failed = false;
  return {
    async next() {
      if (failed) return { done: true, value: undefined };
      try {
        const { done, value } = await source.next();
        if (done) return { done, value: undefined };
        return {
          done: false,
          value: value.errors ? { ...value, errors: tell(value.errors) } : value,
        };
      } catch (error) {
        failed = true;
        const originalError = error instanceof Error ? error : new Error(String(error));
        return {
          done: false,
          value: { errors: tell([new GraphQLError(originalError.message, { originalError })]) },
        };
      }
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
