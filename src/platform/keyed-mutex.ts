/**
 * Runs tasks with the same key one after the other, in order of arrival. Tasks with different keys
 * run concurrently.
 */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  return async function exclusively<Result>(
    key: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.then(work);
    const ended = own.catch(() => undefined);
    last.set(key, ended);
    try {
      return await own;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
