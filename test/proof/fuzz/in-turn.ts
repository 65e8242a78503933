/** Does all of it in order, so many at a time. */
export async function inTurn(
  count: number,
  abreast: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: abreast }, worker));
}
