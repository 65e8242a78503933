/** Counts running reads, so that data is deleted only after the reads that may use it. */
export function createReadGate() {
  const activeReads = new Set<Promise<unknown>>();
  let exclusiveWork: Promise<unknown> | undefined;
  const drain = async () => {
    await Promise.all(activeReads);
  };
  return {
    read<T>(work: () => Promise<T>): Promise<T> {
      if (exclusiveWork) return exclusiveWork.then(() => this.read(work));
      const read = work();
      const settled = read.then(
        () => undefined,
        () => undefined,
      );
      activeReads.add(settled);
      void settled.then(() => activeReads.delete(settled));
      return read;
    },
    /** Waits for the reads that have begun, not for those that begin later. */
    drain,
    /** Runs the work while nothing reads. Reads that begin meanwhile wait for its end. */
    async exclude(work: () => Promise<unknown>): Promise<void> {
      const exclusive = drain().then(work);
      exclusiveWork = exclusive.catch(() => undefined);
      try {
        await exclusive;
      } finally {
        exclusiveWork = undefined;
      }
    },
  };
}

export type ReadGate = ReturnType<typeof createReadGate>;
