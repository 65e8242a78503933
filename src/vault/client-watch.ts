import type { z } from 'zod';
import type { VaultRequest } from './client-connection.ts';
import {
  healthAnswer,
  historyAnswer,
  rateLimitAnswer,
  systemAnswer,
} from './client-watch-answers.ts';

type Parts = {
  call: <Schema extends z.ZodType>(
    request: VaultRequest,
    schema: Schema,
    statuses?: readonly number[],
  ) => Promise<z.output<Schema>>;
  unlessMissing: <Result>(found: Promise<Result>) => Promise<Result | undefined>;
};
type Watch = { signal?: AbortSignal | undefined };

/** People wait for these. */
const silenceMs = 5_000;

/** What a vault tells of how it is. */
export function createWatchCalls({ call, unlessMissing }: Parts) {
  const get = (path: string, signal: AbortSignal | undefined): VaultRequest => ({
    method: 'GET',
    path,
    signal,
    silenceMs,
  });
  return {
    /** How it says that it is, well or not. */
    health: ({ signal }: Watch = {}) => call(get('/health', signal), healthAnswer, [200, 503]),

    /** The last samples; undefined where monitoring is off. */
    system: ({ signal }: Watch = {}) =>
      unlessMissing(call(get('/health/system', signal), systemAnswer)),

    /**
     * What the samples of the last minutes said, oldest first; undefined where monitoring is off.
     */
    history: ({ minutes, signal }: Watch & { minutes: number }) =>
      unlessMissing(call(get(`/health/system/history?minutes=${minutes}`, signal), historyAnswer)),

    /** Where all callers of the vault together stand; undefined where monitoring is off. */
    rateLimit: ({ signal }: Watch = {}) =>
      unlessMissing(call(get('/health/ratelimit', signal), rateLimitAnswer)),
  };
}
