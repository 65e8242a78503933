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
    /**
     * `hide` is called in the step in which `last` becomes the new number, so that no search takes
     * the generation for a visible one.
     */
    async next(hide: (generation: number) => void): Promise<number> {
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
      const generation = last;
      hide(generation);
      return generation;
    },
    last: (): number => last,
  };
}

export type Generations = Awaited<ReturnType<typeof createGenerations>>;
