import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { callProvider, providerFailed } from './call-provider.ts';
import type { Embedder, EmbedderSettings } from './embedding.ts';
import { spaceName } from './space-name.ts';
import { toUnitLength } from './unit-length.ts';

const defaultBaseUrl = 'https://api.openai.com/v1';
const batchTexts = 64;
/** A number has at most about 25 characters in JSON. */
const bytesPerNumberMax = 32;

/** Default dimensions by model. The text-embedding-3 models can return fewer on request. */
const knownDimensions: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

const answerShape = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
  // Some compatible services count nothing.
  usage: z
    .object({ prompt_tokens: z.int().min(0).max(2_147_483_647) })
    .nullish()
    .catch(undefined),
});

type OpenaiSettings = Omit<EmbedderSettings, 'provider' | 'model'> & { model: string };
type OpenaiDependencies = { log: Log; timeoutMs?: number; firstPauseMs?: number };

/** Creates an embedder for any service that is compatible with OpenAI's POST /v1/embeddings. */
export function createOpenaiEmbedder(
  { model, baseUrl = defaultBaseUrl, apiKey, dimensions: requestedDimensions }: OpenaiSettings,
  { log, ...timing }: OpenaiDependencies,
): Embedder {
  const defaultDimensions = knownDimensions[model];
  const dimensions = requestedDimensions ?? defaultDimensions;
  if (dimensions === undefined)
    throw new Error(
      `embeddings.dimensions: must be set for the model ${model}: how many numbers its vectors have`,
    );
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  // The field is sent only to models that are known to support it, because other services reject
  // unknown fields.
  const dimensionsField =
    defaultDimensions !== undefined && defaultDimensions !== dimensions ? { dimensions } : {};

  async function embedBatch(
    texts: string[],
    signal: AbortSignal | undefined,
    counted: ((tokens: number) => void) | undefined,
  ): Promise<Float32Array[]> {
    const body = { model, input: texts, encoding_format: 'float', ...dimensionsField };
    const bytesMax = 65_536 + texts.length * (dimensions ?? 0) * bytesPerNumberMax;
    const answer = answerShape.safeParse(
      await callProvider(
        { url, apiKey, body, bytesMax, attemptsMax: 5, signal, ...timing },
        { log },
      ),
    );
    const vectors = answer.data?.data.toSorted((a, b) => a.index - b.index) ?? [];
    const isValid =
      vectors.length === texts.length &&
      vectors.every(({ index, embedding }, at) => index === at && embedding.length === dimensions);
    if (!isValid) {
      log.warn(
        { host: new URL(url).host, texts: texts.length, dimensions },
        'a model provider returned vectors of the wrong number or dimensions',
      );
      throw providerFailed();
    }
    counted?.(answer.data?.usage?.prompt_tokens ?? 0);
    return vectors.map(({ embedding }) => toUnitLength(Float32Array.from(embedding)));
  }

  return {
    name: spaceName('openai', model, dimensions),
    dimensions,
    inWorker: false,
    paidModel: model,
    async embed(texts, _use, signal, counted) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchTexts)
        vectors.push(...(await embedBatch(texts.slice(from, from + batchTexts), signal, counted)));
      return vectors;
    },
  };
}
