import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../platform/thread-priority.ts';
import { createTasks, type Tasks } from './tasks.ts';

// Does the work of the vector database on its files, one task after the other. threads.ts starts it.

export type ThreadData = {
  directory: string;
  cacheKb: number;
  vectorsKb: number;
  isWriter: boolean;
};
export type TaskMessage = { name: keyof Tasks; values: unknown[] };
export type TaskAnswer = { result: unknown } | { fault: { message: string; errcode: number } };

const { directory, isWriter, ...memory }: ThreadData = workerData;
if (isWriter) lowerThreadPriority('background');
const tasks = createTasks(directory, memory);

parentPort?.on('message', ({ name, values }: TaskMessage) => {
  const task: (...values: never[]) => unknown = tasks[name];
  let answer: TaskAnswer;
  try {
    answer = { result: Reflect.apply(task, tasks, values) };
  } catch (error) {
    const { message, errcode = 0 } = Object(error);
    answer = { fault: { message: String(message), errcode: Number(errcode) } };
  }
  parentPort?.postMessage(answer);
});
