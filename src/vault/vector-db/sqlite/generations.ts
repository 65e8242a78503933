const reservedEach = 1_000;

/**
 * Gives each write a number that no write has had before, also not one of a killed process. Numbers
 * are reserved in the registry before they are used.
 */
export async function createGenerations(reserve: (count: number) => Promise<number>) {
  let reserved = await reserve(reservedEach);
  let last = reserved - reservedEach;
  let reserving: Promise<void> | undefined;
  return {
    async next(): Promise<number> {
      while (last >= reserved) {
        reserving ??= reserve(reservedEach)
          .then((end) => {
            reserved = end;
          })
          .finally(() => {
            reserving = undefined;
          });
        await reserving;
      }
      last += 1;
      return last;
    },
    last: (): number => last,
  };
}

export type Generations = Awaited<ReturnType<typeof createGenerations>>;
