import { parentPort } from 'node:worker_threads';
import { type Question, selectAnswer } from './select-answer.ts';

// Answers one question after another in a thread of its own. Only answer-in-thread.ts starts it.

parentPort?.on('message', ({ question, passages }: Question) =>
  parentPort?.postMessage(selectAnswer(question, passages)),
);
