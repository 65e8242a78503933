import { availableParallelism } from 'node:os';
import type { Log } from '../../../platform/log.ts';
import { createThreadPool, type ThreadPool } from '../../../platform/thread-pool.ts';
import type { Tasks } from './tasks.ts';
import type { TaskAnswer, TaskMessage, ThreadData } from './thread-program.ts';

const queueMax = 100_000;
const deadlineMs = 120_000;
const heapMegabytesMax = 1_024;
const readersMax = 4;
/** Of the cache of a thread, so much is for vectors. The pages of its open files share the rest. */
const vectorsShare = 1 / 8;

export type Threads = ReturnType<typeof startThreads>;

type Call = <Name extends keyof Tasks>(
  name: Name,
  ...values: Parameters<Tasks[Name]>
) => Promise<ReturnType<Tasks[Name]>>;

/**
 * One thread that writes and some that read. Searches do not wait for writes. The tasks of one file
 * run in the order in which they were given, and files take turns.
 */
export function startThreads(directory: string, cacheMb: number, log: Log) {
  const readers = Math.max(2, Math.min(readersMax, availableParallelism()));
  const openFilesEach = 48;
  const threadKb = (cacheMb * 1024) / (readers + 1);
  const cacheKb = Math.max(512, Math.floor((threadKb * (1 - vectorsShare)) / openFilesEach));
  const vectorsKb = Math.floor(threadKb * vectorsShare);
  const startPool = (threads: number, isWriter: boolean) => {
    const data: ThreadData = { directory, cacheKb, vectorsKb, isWriter };
    return createThreadPool({
      name: 'The vector database',
      script: new URL('./thread-program.ts', import.meta.url),
      threads,
      queueMax,
      queueOfOwnerMax: queueMax,
      threadsOfOwnerMax: threads,
      deadlineMs,
      heapMegabytesMax,
      data,
      log,
    });
  };
  const [writing, reading] = [startPool(1, true), startPool(readers, false)];
  const callOn =
    (pool: ThreadPool): Call =>
    async (name, ...values) => {
      const message: TaskMessage = { name, values };
      const [file] = values;
      const owner = typeof file === 'string' ? file : '';
      const answer = (await pool.run(message, owner)) as TaskAnswer;
      if ('fault' in answer) throw new TaskError(answer.fault);
      return answer.result as ReturnType<Tasks[typeof name]>;
    };
  return {
    write: callOn(writing),
    read: callOn(reading),
    async close(): Promise<void> {
      await reading.close();
      await callOn(writing)('close');
      await writing.close();
    },
  };
}

/** An error in a thread. `errcode` is SQLite's result code. */
class TaskError extends Error {
  readonly errcode: number;
  constructor({ message, errcode }: { message: string; errcode: number }) {
    super(message);
    this.errcode = errcode;
  }
}
