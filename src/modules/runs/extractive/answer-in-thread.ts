import { availableParallelism } from 'node:os';
import { createThreadPool, type ThreadPoolLog } from '../../../platform/thread-pool.ts';
import { type AnswerInput, selectAnswer } from './select-answer.ts';

// A question with passages up to this length is answered in less than ten milliseconds, so it needs
// no thread.
const questionCharactersMax = 2_000;
const passagesCharactersMax = 20_000;

const poolSettings = {
  threads: Math.min(2, availableParallelism()),
  queueMax: 200,
  queueOfOwnerMax: 50,
  deadlineMs: 10_000,
  heapMegabytesMax: 256,
};

/** `owner`: the tenant, such as an organization. Tenants take turns in the thread pool. */
export type AnswerRequest = AnswerInput & { owner: string; signal?: AbortSignal | undefined };

/**
 * Answers small questions directly and large ones in a thread, so that they do not block other
 * requests.
 */
export function createAnswerPool(log: ThreadPoolLog) {
  const script = new URL('./answer-worker.ts', import.meta.url);
  const pool = createThreadPool({ ...poolSettings, name: 'The built-in model', script, log });
  return {
    async answer({ question, passages, context, owner, signal }: AnswerRequest): Promise<string[]> {
      const characters = passages.reduce((sum, { text }) => sum + text.length, 0);
      if (
        question.length + (context?.length ?? 0) <= questionCharactersMax &&
        characters <= passagesCharactersMax
      )
        return selectAnswer(question, passages, context);
      const sentences = await pool.run({ question, passages, context }, owner, signal);
      return Array.isArray(sentences) ? sentences.map(String) : [];
    },
    close: pool.close,
  };
}
