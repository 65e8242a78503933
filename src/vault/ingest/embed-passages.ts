import type { Embedder } from '../embed/embedder.ts';
import type { EmbeddedPassage, Passage } from '../passage.ts';

/** A model elsewhere answers several batches in the time of one. */
const batchesAtOnce = 4;

type Batch = readonly (Passage & { vector?: Float32Array })[];

/** Passages with their vectors, in their order; those that have one already keep it. */
export async function* embedPassages(
  batches: AsyncIterable<Batch>,
  embedder: Embedder,
  signal: AbortSignal,
): AsyncGenerator<EmbeddedPassage> {
  const running: Promise<EmbeddedPassage[]>[] = [];
  for await (const batch of batches) {
    const embedded = embedBatch(batch, embedder, signal);
    // One that fails is heard of when its turn comes; until then nobody listens.
    embedded.catch(() => {});
    running.push(embedded);
    if (running.length >= batchesAtOnce) yield* (await running.shift()) ?? [];
  }
  for (const batch of running) yield* await batch;
}

async function embedBatch(
  batch: Batch,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<EmbeddedPassage[]> {
  const bare = batch.filter(({ vector }) => vector === undefined);
  const made =
    bare.length === 0
      ? []
      : await embedder.embed(
          bare.map(({ text }) => text),
          'passage',
          signal,
        );
  let next = 0;
  return batch.map((passage) => {
    const vector = passage.vector ?? made[next++];
    if (!vector)
      throw new Error(
        `the embedder ${embedder.name} gave ${made.length} vectors for ${bare.length} texts`,
      );
    return { ...passage, vector };
  });
}
