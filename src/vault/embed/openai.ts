import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { callProvider, providerFailed } from './call-provider.ts';
import type { Embedder, EmbedderSettings } from './embedder.ts';
import { spaceName } from './space-name.ts';
import { toUnitLength } from './unit-length.ts';

const usualBaseUrl = 'https://api.openai.com/v1';
const batchTexts = 64;
/** A number takes at most about 25 characters. */
const bytesPerNumberMax = 32;

/** Models whose dimensions are known; those of the third generation can give fewer when asked. */
const knownDimensions: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

const answerShape = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

type OpenaiSettings = Omit<EmbedderSettings, 'provider' | 'model'> & { model: string };
type OpenaiParts = { log: Log; timeoutMs?: number; firstPauseMs?: number };

/** Vectors of any provider that answers POST /v1/embeddings as OpenAI does. */
export function createOpenaiEmbedder(
  { model, baseUrl = usualBaseUrl, apiKey, dimensions: wanted }: OpenaiSettings,
  { log, ...timing }: OpenaiParts,
): Embedder {
  const known = knownDimensions[model];
  const dimensions = wanted ?? known;
  if (dimensions === undefined)
    throw new Error(
      `embeddings.dimensions: must be set for the model ${model}: how many numbers its vectors have`,
    );
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  // Other providers refuse a field that they do not know.
  const shortened = known !== undefined && known !== dimensions ? { dimensions } : {};

  async function embedBatch(
    texts: string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const body = { model, input: texts, encoding_format: 'float', ...shortened };
    const bytesMax = 65_536 + texts.length * (dimensions ?? 0) * bytesPerNumberMax;
    const answer = answerShape.safeParse(
      await callProvider({ url, apiKey, body, bytesMax, tries: 5, signal, ...timing }, { log }),
    );
    const vectors = answer.data?.data.toSorted((one, other) => one.index - other.index) ?? [];
    const isRight =
      vectors.length === texts.length &&
      vectors.every(({ index, embedding }, at) => index === at && embedding.length === dimensions);
    if (!isRight) {
      log.warn(
        { host: new URL(url).host, texts: texts.length, dimensions },
        'a model provider gave other vectors than were asked for',
      );
      throw providerFailed();
    }
    return vectors.map(({ embedding }) => toUnitLength(Float32Array.from(embedding)));
  }

  return {
    name: spaceName('openai', model, dimensions),
    dimensions,
    inWorker: false,
    async embed(texts, _use, signal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchTexts)
        vectors.push(...(await embedBatch(texts.slice(from, from + batchTexts), signal)));
      return vectors;
    },
  };
}
