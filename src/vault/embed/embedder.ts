import type { Log } from '../../platform/log.ts';
import type { Embedder, EmbedderSettings } from './embedding.ts';
import { embedByHashing, hashingSpace } from './hashing.ts';
import { createLocalEmbedder } from './local.ts';
import { createOpenaiEmbedder } from './openai.ts';

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
