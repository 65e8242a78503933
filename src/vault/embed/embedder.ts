import type { Log } from '../../platform/log.ts';
import { embedByHashing, hashingSpace } from './hashing.ts';
import { createLocalEmbedder } from './local.ts';
import { createOpenaiEmbedder } from './openai.ts';

/** Turns texts into vectors of length 1. */
export type Embedder = {
  /**
   * Names the space of its vectors, with everything that makes it another one: vectors of two names
   * are never compared.
   */
  name: string;
  dimensions: number;
  /** It is computed where the text is read, and `embed` is for questions. */
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

/** Needs nothing, so it answers for documents of its space whatever is configured now. */
export const hashingEmbedder: Embedder = {
  ...hashingSpace,
  inWorker: true,
  embed: async (texts) => texts.map(embedByHashing),
};
