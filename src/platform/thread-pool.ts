import { Worker } from 'node:worker_threads';
import { AppError } from './errors.ts';

export type ThreadPoolLog = { warn: (fields: object, message: string) => void };

type PoolSettings = {
  /** What does the work, for messages: "The built-in model". */
  name: string;
  /** A module that answers each message with one message. */
  script: URL;
  threads: number;
  /** Tasks that wait, over all owners, and of one owner. */
  queueMax: number;
  queueOfOwnerMax: number;
  /** How long one task may compute. Its thread is ended then. */
  deadlineMs: number;
  heapMegabytesMax: number;
  log: ThreadPoolLog;
};

type Task = {
  input: unknown;
  owner: string;
  resolve: (output: unknown) => void;
  reject: (fault: unknown) => void;
  leave: () => void;
};

export type ThreadPool = ReturnType<typeof createThreadPool>;

/**
 * Threads for work that would keep the event loop from everybody else. They start with the first
 * task, and stay. Owners take turns: whoever sends a hundred tasks delays another's only task by
 * one of them per thread.
 */
export function createThreadPool({
  name,
  script,
  threads,
  queueMax,
  queueOfOwnerMax,
  deadlineMs,
  heapMegabytesMax,
  log,
}: PoolSettings) {
  const queues = new Map<string, Task[]>();
  const idle: Worker[] = [];
  const running = new Set<Worker>();
  let waiting = 0;
  let isClosed = false;

  const startThread = () => {
    const thread = new Worker(script, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    // A thread without a task does not keep the process alive.
    thread.unref();
    // Whoever waits for the thread hears of its end as well; without a listener the process would
    // end with it.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    });
    return thread;
  };

  /** The first task of the owner whose turn it is. The owner goes to the end of the line. */
  const nextTask = (): Task | undefined => {
    for (const [owner, tasks] of queues) {
      const task = tasks.shift();
      queues.delete(owner);
      if (tasks.length > 0) queues.set(owner, tasks);
      if (task) waiting -= 1;
      return task;
    }
    return undefined;
  };

  const startTasks = () => {
    while (!isClosed && running.size < threads && waiting > 0) {
      const task = nextTask();
      if (task) runTask(task, idle.pop() ?? startThread());
    }
  };

  const runTask = ({ input, resolve, reject, leave }: Task, thread: Worker) => {
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
      log.warn({ work: name, deadlineMs }, 'a thread was ended because its task took too long');
      end(false, () => reject(new AppError('PROVIDER_LATE', `${name} did not answer in time`)));
    }, deadlineMs);
    running.add(thread);
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
        const task: Task = {
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
      await Promise.all([...running, ...idle].map((thread) => thread.terminate()));
    },
  };
}
