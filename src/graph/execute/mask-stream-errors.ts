import { type ExecutionResult, GraphQLError } from 'graphql';

type MaskErrors = (errors: readonly GraphQLError[]) => GraphQLError[];

/**
 * Masks the errors of each result of a stream. If the source throws, the masked error is the last
 * result.
 */
export function maskStreamErrors(
  results: AsyncIterable<ExecutionResult>,
  mask: MaskErrors,
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
          value: value.errors ? { ...value, errors: mask(value.errors) } : value,
        };
      } catch (error) {
        failed = true;
        const originalError = error instanceof Error ? error : new Error(String(error));
        return {
          done: false,
          value: { errors: mask([new GraphQLError(originalError.message, { originalError })]) },
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
