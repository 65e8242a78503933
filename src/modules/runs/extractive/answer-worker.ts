import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../platform/thread-priority.ts';
import type { AnswerThreadData } from './answer-in-thread.ts';
import { type AnswerInput, selectAnswer } from './select-answer.ts';

// The worker thread of answer-in-thread.ts, which is the only one to start it. It answers one
// question after another.

const { hasLowPriority }: AnswerThreadData = workerData;
if (hasLowPriority) lowerThreadPriority('background');
parentPort?.on('message', ({ question, passages, context }: AnswerInput) =>
  parentPort?.postMessage(selectAnswer(question, passages, context)),
);
