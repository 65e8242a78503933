import type { EmbeddedPassage } from '../passage.ts';
import type { PassageBatches } from './passage-store.ts';

type WriteOptions = {
  /** The most passages in one write, so that other writes wait little. */
  passagesMax: number;
  write: (passages: readonly EmbeddedPassage[], isLast: boolean) => Promise<void>;
};

/**
 * Writes the batches of a document in their order, each while the next one is read. Returns what
 * comes after the last batch. When this has failed, no write is running any more.
 */
export async function writeBatches(
  batches: PassageBatches,
  { passagesMax, write }: WriteOptions,
): Promise<Record<string, unknown>> {
  const writeSlices = async (passages: readonly EmbeddedPassage[], isLastBatch: boolean) => {
    for (let at = 0; at < passages.length; at += passagesMax) {
      const isLastSlice = at + passagesMax >= passages.length;
      await write(passages.slice(at, at + passagesMax), isLastBatch && isLastSlice);
    }
  };
  let writing: Promise<void> = Promise.resolve();
  try {
    let batch = await batches.next();
    while (!batch.done) {
      const next = await batches.next();
      await writing;
      writing = writeSlices(batch.value, next.done === true);
      // Thrown where it is awaited. Until then it must not count as an unhandled rejection.
      writing.catch(() => undefined);
      batch = next;
    }
    await writing;
    return batch.value;
  } catch (error) {
    await writing.catch(() => undefined);
    throw error;
  }
}
