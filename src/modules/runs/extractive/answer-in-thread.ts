import { createThreadPool, type ThreadPoolLog } from '../../../platform/thread-pool.ts';
import { type AnswerInput, selectAnswer } from './select-answer.ts';

// The threads have a lower priority than the event loop, so there may be as many as processors. Waiting
// questions take no memory of their own: their runs hold the passages, and the quotas limit the runs.
const poolSettings = {
  threads: 2,
  threadsOfOwnerMax: 1,
  queueMax: 10_000,
  queueOfOwnerMax: 1_000,
  deadlineMs: 10_000,
  heapMegabytesMax: 256,
};

/** `owner`: the tenant, such as an organization. Tenants take turns in the thread pool. */
export type AnswerRequest = AnswerInput & { owner: string; signal?: AbortSignal | undefined };

/**
 * Answers questions in a thread, so that they do not block other requests: eight passages take 4 to
 * 150 ms of processor time, depending on the question. Nothing has to be selected from no passages.
 */
export function createAnswerPool(log: ThreadPoolLog) {
  const script = new URL('./answer-worker.ts', import.meta.url);
  const pool = createThreadPool({ ...poolSettings, name: 'The built-in model', script, log });
  return {
    async answer({ question, passages, context, owner, signal }: AnswerRequest): Promise<string[]> {
      if (passages.length === 0) return selectAnswer(question, passages, context);
      const sentences = await pool.run({ question, passages, context }, owner, signal);
      return Array.isArray(sentences) ? sentences.map(String) : [];
    },
    close: pool.close,
  };
}
