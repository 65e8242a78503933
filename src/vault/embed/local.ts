import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Embedder } from './embedder.ts';
import { spaceName } from './space-name.ts';
import { toUnitLength } from './unit-length.ts';

// Large, and needed by few: installed by who wants it.
const library = '@huggingface/transformers';
const batchTexts = 16;

type Extract = (
  texts: string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<unknown>;
type Library = {
  env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string): Promise<Extract>;
};

const output = z.object({
  data: z.instanceof(Float32Array),
  dims: z.tuple([z.int().positive(), z.int().positive()]),
});

type LocalSettings = { model: string; dimensions: number | undefined };

/**
 * Vectors of a model that runs in this process: a directory with its files, or its name on the
 * Hugging Face hub.
 */
export async function createLocalEmbedder({
  model,
  dimensions: wanted,
}: LocalSettings): Promise<Embedder> {
  const extract = await openModel(await requireLibrary(), model);
  const [probe] = await embedBatch(extract, ['probe']);
  const dimensions = probe?.length ?? 0;
  if (wanted !== undefined && wanted !== dimensions)
    throw new Error(`embeddings.dimensions: the model ${model} gives ${dimensions}, not ${wanted}`);
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

async function requireLibrary(): Promise<Library> {
  const loaded: unknown = await import(library).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return undefined;
    throw error;
  });
  // An empty package may stand in its place, so that what else would bring it stays small.
  if (!isLibrary(loaded))
    throw new Error(
      `embeddings.provider: local needs a library that is not installed; install ${library} (npm install ${library})`,
    );
  return loaded;
}

const isLibrary = (loaded: unknown): loaded is Library =>
  typeof loaded === 'object' &&
  loaded !== null &&
  'env' in loaded &&
  'pipeline' in loaded &&
  typeof loaded.pipeline === 'function';

async function openModel({ env, pipeline }: Library, model: string): Promise<Extract> {
  if (!existsSync(model)) return pipeline('feature-extraction', model);
  env.allowRemoteModels = false;
  env.localModelPath = dirname(resolve(model));
  return pipeline('feature-extraction', basename(resolve(model)));
}

async function embedBatch(extract: Extract, texts: string[]): Promise<Float32Array[]> {
  const { data, dims } = output.parse(await extract(texts, { pooling: 'mean', normalize: true }));
  const [count, dimensions] = dims;
  if (count !== texts.length || data.length !== count * dimensions)
    throw new Error('The local model gave other vectors than were asked for');
  return texts.map((_, at) => toUnitLength(data.slice(at * dimensions, (at + 1) * dimensions)));
}
