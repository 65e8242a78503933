import { Worker } from 'node:worker_threads';
import { AppError } from './errors.ts';

export type ThreadPoolLog = { warn: (fields: object, message: string) => void };

type PoolSettings = {
  /** The name for error messages, such as "The built-in model". */
  name: string;
  /** A module that answers each message with one message. */
  script: URL;
  threads: number;
  /** Maximum number of waiting tasks, in total and per owner. */
  queueMax: number;
  queueOfOwnerMax: number;
  /** Fewer than `threads`, so that a thread is left for the tasks of others; or all of them. */
  threadsOfOwnerMax: number;
  /** Maximum time of one task. Its thread is terminated after that. */
  deadlineMs: number;
  heapMegabytesMax: number;
  /** What each thread finds as its `workerData`. */
  data?: unknown;
  log: ThreadPoolLog;
};

type PoolTask = {
  input: unknown;
  owner: string;
  resolve: (output: unknown) => void;
  reject: (fault: unknown) => void;
  leave: () => void;
};

export type ThreadPool = ReturnType<typeof createThreadPool>;

/**
 * Worker threads for work that would block the event loop. They start with the first task and keep
 * running. Owners take turns, so an owner with a hundred tasks delays the only task of another
 * owner by at most one task per thread.
 */
export function createThreadPool({
  name,
  script,
  threads,
  queueMax,
  queueOfOwnerMax,
  threadsOfOwnerMax,
  deadlineMs,
  heapMegabytesMax,
  data,
  log,
}: PoolSettings) {
  const queues = new Map<string, PoolTask[]>();
  const idle: Worker[] = [];
  const running = new Map<Worker, string>();
  let waiting = 0;
  let isClosed = false;

  const startThread = () => {
    const thread = new Worker(script, {
      env: {},
      execArgv: [],
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    // A thread without a task does not keep the process alive.
    thread.unref();
    // The task's own listener handles the error. Without any listener an error between two tasks
    // would end the process.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    });
    return thread;
  };

  const runningTasksOf = (owner: string) =>
    [...running.values()].filter((other) => other === owner).length;

  /** The next task of the owner whose turn it is. The owner then moves to the end of the order. */
  const nextTask = (): PoolTask | undefined => {
    for (const [owner, tasks] of queues) {
      if (runningTasksOf(owner) >= threadsOfOwnerMax) continue;
      const task = tasks.shift();
      queues.delete(owner);
      if (tasks.length > 0) queues.set(owner, tasks);
      if (task) waiting -= 1;
      return task;
    }
    return undefined;
  };

  const startTasks = () => {
    while (!isClosed && running.size < threads) {
      const task = nextTask();
      if (!task) return;
      runTask(task, idle.pop() ?? startThread());
    }
  };

  const runTask = ({ input, owner, resolve, reject, leave }: PoolTask, thread: Worker) => {
    const end = (isUsable: boolean, settle: () => void) => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
      running.delete(thread);
      leave();
      if (isUsable) idle.push(thread);
      else void thread.terminate();
      settle();
      startTasks();
    };
    const onMessage = (output: unknown) => end(true, () => resolve(output));
    const onError = (fault: unknown) => end(false, () => reject(fault));
    const onExit = () =>
      end(false, () => reject(isClosed ? stopping() : new Error(`${name}: its thread ended`)));
    const timer = setTimeout(() => {
      log.warn({ work: name, deadlineMs }, 'terminated a thread because its task took too long');
      end(false, () => reject(new AppError('PROVIDER_LATE', `${name} did not answer in time`)));
    }, deadlineMs);
    running.set(thread, owner);
    thread.ref();
    thread.once('message', onMessage).once('error', onError).once('exit', onExit);
    thread.postMessage(input);
  };

  const stopping = () => new AppError('UNAVAILABLE', 'The server is stopping');

  return {
    run(input: unknown, owner: string, signal?: AbortSignal): Promise<unknown> {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const tasks = queues.get(owner) ?? [];
        if (isClosed) throw stopping();
        if (waiting >= queueMax || tasks.length >= queueOfOwnerMax)
          throw new AppError('UNAVAILABLE', `${name} is busy; try again in a few seconds`);
        const abort = () => {
          const at = tasks.indexOf(task);
          if (at < 0) return;
          tasks.splice(at, 1);
          waiting -= 1;
          if (tasks.length === 0) queues.delete(owner);
          reject(signal?.reason);
        };
        const task: PoolTask = {
          input,
          owner,
          resolve,
          reject,
          leave: () => signal?.removeEventListener('abort', abort),
        };
        signal?.addEventListener('abort', abort, { once: true });
        tasks.push(task);
        queues.set(owner, tasks);
        waiting += 1;
        startTasks();
      });
    },
    async close(): Promise<void> {
      isClosed = true;
      for (const { reject, leave } of [...queues.values()].flat()) {
        leave();
        reject(stopping());
      }
      queues.clear();
      waiting = 0;
      await Promise.all([...running.keys(), ...idle].map((thread) => thread.terminate()));
    },
  };
}
