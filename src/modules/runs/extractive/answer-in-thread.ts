import { createThreadPool, type ThreadPoolLog } from '../../../platform/thread-pool.ts';
import { type AnswerInput, selectAnswer } from './select-answer.ts';

// Waiting questions take no memory of their own: their runs hold the passages, and the quotas limit
// the runs.
const poolSettings = {
  name: 'The built-in model',
  script: new URL('./answer-worker.ts', import.meta.url),
  threadsOfOwnerMax: 1,
  queueMax: 10_000,
  queueOfOwnerMax: 1_000,
  deadlineMs: 10_000,
  heapMegabytesMax: 256,
};

/** What an answer thread finds as its `workerData`. */
export type AnswerThreadData = { hasLowPriority: boolean };

/** `owner`: the tenant, such as an organization. Tenants take turns in the thread pool. */
export type AnswerRequest = AnswerInput & { owner: string; signal?: AbortSignal | undefined };

/**
 * Answers questions in threads, so that they do not block other requests: eight passages take 4 to
 * 150 ms of processor time, depending on the question. Tenants that are paced have a thread of low
 * priority. Nothing has to be selected from no passages.
 */
export function createAnswerPool(log: ThreadPoolLog, isPaced: (owner: string) => boolean) {
  const openPool = (threads: number, data: AnswerThreadData) =>
    createThreadPool({ ...poolSettings, threads, data, log });
  const usualPool = openPool(2, { hasLowPriority: false });
  const pacedPool = openPool(1, { hasLowPriority: true });
  return {
    async answer({ question, passages, context, owner, signal }: AnswerRequest): Promise<string[]> {
      if (passages.length === 0) return selectAnswer(question, passages, context);
      const pool = isPaced(owner) ? pacedPool : usualPool;
      const sentences = await pool.run({ question, passages, context }, owner, signal);
      return Array.isArray(sentences) ? sentences.map(String) : [];
    },
    async close(): Promise<void> {
      await Promise.all([usualPool.close(), pacedPool.close()]);
    },
  };
}
