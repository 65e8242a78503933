import type { z } from 'zod';
import type { VaultRequest } from './client-connection.ts';
import {
  healthAnswer,
  historyAnswer,
  rateLimitAnswer,
  systemAnswer,
} from './client-watch-answers.ts';

type WatchDependencies = {
  call: <Schema extends z.ZodType>(
    request: VaultRequest,
    schema: Schema,
    statuses?: readonly number[],
  ) => Promise<z.output<Schema>>;
  undefinedIfNotFound: <Result>(answer: Promise<Result>) => Promise<Result | undefined>;
};
type WatchInput = { signal?: AbortSignal | undefined };

/** Short, because these calls fill a page that a person is waiting for. */
const idleTimeoutMs = 5_000;

/** The monitoring calls of the vault client. */
export function createWatchCalls({ call, undefinedIfNotFound }: WatchDependencies) {
  const get = (path: string, signal: AbortSignal | undefined): VaultRequest => ({
    method: 'GET',
    path,
    signal,
    idleTimeoutMs,
  });
  return {
    /** Resolves for a healthy vault (200) and an unhealthy one (503). */
    health: ({ signal }: WatchInput = {}) => call(get('/health', signal), healthAnswer, [200, 503]),

    /** The latest samples; undefined if monitoring is off. */
    system: ({ signal }: WatchInput = {}) =>
      undefinedIfNotFound(call(get('/health/system', signal), systemAnswer)),

    /**
     * Averages over the last minutes, oldest first; undefined if monitoring is off.
     */
    history: ({ minutes, signal }: WatchInput & { minutes: number }) =>
      undefinedIfNotFound(
        call(get(`/health/system/history?minutes=${minutes}`, signal), historyAnswer),
      ),

    /** The shared rate limit of all callers of the vault; undefined if monitoring is off. */
    rateLimit: ({ signal }: WatchInput = {}) =>
      undefinedIfNotFound(call(get('/health/ratelimit', signal), rateLimitAnswer)),
  };
}
