import type { Embedder } from '../embed/embedding.ts';
import { type EmbeddedPassage, type Passage, textWithHeadings } from '../passage.ts';

/** A remote model answers several concurrent batches in the time of one. */
const concurrentBatchesMax = 4;

type PassageBatch = readonly (Passage & { vector?: Float32Array })[];

/** Adds vectors to passages, in their order. Passages that already have a vector keep it. */
export async function* embedPassages(
  batches: AsyncIterable<PassageBatch>,
  embedder: Embedder,
  signal: AbortSignal,
): AsyncGenerator<EmbeddedPassage> {
  const running: Promise<EmbeddedPassage[]>[] = [];
  for await (const batch of batches) {
    const embedded = embedBatch(batch, embedder, signal);
    // A failure is thrown when the batch is awaited below. Until then this handler keeps it from
    // counting as an unhandled rejection.
    embedded.catch(() => {});
    running.push(embedded);
    if (running.length >= concurrentBatchesMax) yield* (await running.shift()) ?? [];
  }
  for (const batch of running) yield* await batch;
}

async function embedBatch(
  batch: PassageBatch,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<EmbeddedPassage[]> {
  const unembedded = batch.filter(({ vector }) => vector === undefined);
  const newVectors =
    unembedded.length === 0
      ? []
      : await embedder.embed(
          unembedded.map((passage) =>
            embedder.inWorker ? textWithHeadings(passage) : passage.text,
          ),
          'passage',
          signal,
        );
  let next = 0;
  return batch.map((passage) => {
    const vector = passage.vector ?? newVectors[next++];
    if (!vector)
      throw new Error(
        `the embedder ${embedder.name} gave ${newVectors.length} vectors for ${unembedded.length} texts`,
      );
    return { ...passage, vector };
  });
}
