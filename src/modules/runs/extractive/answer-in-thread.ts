import { availableParallelism } from 'node:os';
import { createThreadPool, type ThreadPoolLog } from '../../../platform/thread-pool.ts';
import { type Question, selectAnswer } from './select-answer.ts';

// A question and passages of this length are answered in less than ten milliseconds, which is not
// worth a thread.
const questionCharactersMax = 2_000;
const passagesCharactersMax = 30_000;

const settings = {
  threads: Math.min(2, availableParallelism()),
  queueMax: 200,
  queueOfOwnerMax: 50,
  deadlineMs: 10_000,
  heapMegabytesMax: 256,
};

/** `owner` takes turns with others, such as an organization. */
export type AnswerRequest = Question & { owner: string; signal?: AbortSignal | undefined };

/**
 * Answers small questions at once and large ones in a thread, so that other requests are served
 * meanwhile.
 */
export function createAnswers(log: ThreadPoolLog) {
  const script = new URL('./answer-worker.ts', import.meta.url);
  const pool = createThreadPool({ ...settings, name: 'The built-in model', script, log });
  return {
    async answer({ question, passages, owner, signal }: AnswerRequest): Promise<string[]> {
      const characters = passages.reduce((sum, { text }) => sum + text.length, 0);
      if (question.length <= questionCharactersMax && characters <= passagesCharactersMax)
        return selectAnswer(question, passages);
      const sentences = await pool.run({ question, passages }, owner, signal);
      return Array.isArray(sentences) ? sentences.map(String) : [];
    },
    close: pool.close,
  };
}
