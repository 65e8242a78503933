import type { Log } from '../../platform/log.ts';
import { embedByHashing, hashingSpace } from './hashing.ts';
import { createLocalEmbedder } from './local.ts';
import { createOpenaiEmbedder } from './openai.ts';

/** Turns texts into vectors of length 1. */
export type Embedder = {
  /**
   * Names the embedding space, including everything that changes the vectors. Vectors of different
   * spaces are never compared.
   */
  name: string;
  dimensions: number;
  /** The reader process computes the vectors of passages, and `embed` is used only for queries. */
  inWorker: boolean;
  embed(texts: string[], use: 'passage' | 'query', signal?: AbortSignal): Promise<Float32Array[]>;
};

export type EmbedderSettings = {
  provider: 'hashing' | 'openai' | 'local';
  model?: string | undefined;
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  dimensions?: number | undefined;
};

export async function createEmbedder(
  { provider, model = '', baseUrl, apiKey, dimensions }: EmbedderSettings,
  { log }: { log: Log },
): Promise<Embedder> {
  if (provider === 'openai')
    return createOpenaiEmbedder({ model, baseUrl, apiKey, dimensions }, { log });
  if (provider === 'local') return createLocalEmbedder({ model, dimensions });
  return hashingEmbedder;
}

/** Always available, so that documents with hashing vectors are searchable with any settings. */
export const hashingEmbedder: Embedder = {
  ...hashingSpace,
  inWorker: true,
  embed: async (texts) => texts.map(embedByHashing),
};
