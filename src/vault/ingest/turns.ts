/** Lets one at a time do something about a thing of this name, in the order in which they came. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async function inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = last.get(name) ?? Promise.resolve();
    const own = before.then(work);
    const ended = own.catch(() => undefined);
    last.set(name, ended);
    try {
      return await own;
    } finally {
      if (last.get(name) === ended) last.delete(name);
    }
  };
}
