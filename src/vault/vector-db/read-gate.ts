/** Who reads now, so that what they may still look at is taken away only after them. */
export function createReadGate() {
  const reading = new Set<Promise<unknown>>();
  let closed: Promise<unknown> | undefined;
  const drain = async () => {
    await Promise.all(reading);
  };
  return {
    read<T>(work: () => Promise<T>): Promise<T> {
      if (closed) return closed.then(() => this.read(work));
      const read = work();
      const ended = read.then(
        () => undefined,
        () => undefined,
      );
      reading.add(ended);
      void ended.then(() => reading.delete(ended));
      return read;
    },
    /** Waits for those that have begun, not for those that begin meanwhile. */
    drain,
    /** Does this while nobody reads: who comes meanwhile waits. */
    async exclude(work: () => Promise<unknown>): Promise<void> {
      const done = drain().then(work);
      closed = done.catch(() => undefined);
      try {
        await done;
      } finally {
        closed = undefined;
      }
    },
  };
}

export type ReadGate = ReturnType<typeof createReadGate>;

/** One work after the other, in the order in which they were handed in. */
export function createMutex() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
