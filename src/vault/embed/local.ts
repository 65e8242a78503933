import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Embedder } from './embedding.ts';
import { spaceName } from './space-name.ts';
import { toUnitLength } from './unit-length.ts';

// Not a dependency of the package, because it is large and few installations need it.
const libraryName = '@huggingface/transformers';
const batchTexts = 16;

type FeatureExtractor = (
  texts: string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<unknown>;
type TransformersLibrary = {
  env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string): Promise<FeatureExtractor>;
};

const outputSchema = z.object({
  data: z.instanceof(Float32Array),
  dims: z.tuple([z.int().positive(), z.int().positive()]),
});

type LocalEmbedderSettings = { model: string; dimensions: number | undefined };

/**
 * Creates an embedder that runs a model in this process. `model` is a directory with its files or a
 * name on the Hugging Face hub.
 */
export async function createLocalEmbedder({
  model,
  dimensions: expectedDimensions,
}: LocalEmbedderSettings): Promise<Embedder> {
  const extract = await openModel(await loadLibrary(), model);
  const [probe] = await embedBatch(extract, ['probe']);
  const dimensions = probe?.length ?? 0;
  if (expectedDimensions !== undefined && expectedDimensions !== dimensions)
    throw new Error(
      `embeddings.dimensions: the model ${model} gives ${dimensions}, not ${expectedDimensions}`,
    );
  return {
    name: spaceName('local', existsSync(model) ? basename(resolve(model)) : model, dimensions),
    dimensions,
    inWorker: false,
    async embed(texts, _use, signal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchTexts) {
        signal?.throwIfAborted();
        vectors.push(...(await embedBatch(extract, texts.slice(from, from + batchTexts))));
      }
      return vectors;
    },
  };
}

async function loadLibrary(): Promise<TransformersLibrary> {
  const loaded: unknown = await import(libraryName).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return undefined;
    throw error;
  });
  // A placeholder package may be installed instead, so the exports are checked.
  if (!isTransformersLibrary(loaded))
    throw new Error(
      `embeddings.provider: local needs a library that is not installed; install ${libraryName} (npm install ${libraryName})`,
    );
  return loaded;
}

const isTransformersLibrary = (loaded: unknown): loaded is TransformersLibrary =>
  typeof loaded === 'object' &&
  loaded !== null &&
  'env' in loaded &&
  'pipeline' in loaded &&
  typeof loaded.pipeline === 'function';

async function openModel(
  { env, pipeline }: TransformersLibrary,
  model: string,
): Promise<FeatureExtractor> {
  if (!existsSync(model)) return pipeline('feature-extraction', model);
  env.allowRemoteModels = false;
  env.localModelPath = dirname(resolve(model));
  return pipeline('feature-extraction', basename(resolve(model)));
}

async function embedBatch(extract: FeatureExtractor, texts: string[]): Promise<Float32Array[]> {
  const { data, dims } = outputSchema.parse(
    await extract(texts, { pooling: 'mean', normalize: true }),
  );
  const [count, dimensions] = dims;
  if (count !== texts.length || data.length !== count * dimensions)
    throw new Error('The local model returned vectors of the wrong number or dimensions');
  return texts.map((_, at) => toUnitLength(data.slice(at * dimensions, (at + 1) * dimensions)));
}
