import { expect, test } from 'vitest';
import { createLocalEmbedder } from '../../../src/vault/embed/local.ts';

test('who has not installed the library for local models is told to', async () => {
  await expect(createLocalEmbedder({ model: 'any/model', dimensions: undefined })).rejects.toThrow(
    'embeddings.provider: local needs a library that is not installed; install @huggingface/transformers (npm install @huggingface/transformers)',
  );
});
