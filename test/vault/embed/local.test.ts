import { expect, test } from 'vitest';
import { createLocalEmbedder } from '../../../src/vault/embed/local.ts';

test('A local embedder without the library fails with installation instructions', async () => {
  await expect(createLocalEmbedder({ model: 'any/model', dimensions: undefined })).rejects.toThrow(
    'embeddings.provider: local needs a library that is not installed; install @huggingface/transformers (npm install @huggingface/transformers)',
  );
});
