import { createHash } from 'node:crypto';
import type { Storage } from './stored-object.ts';

/** A storage that keeps and removes nothing. It reads what it is to store to its end. */
export const dryRunStorage = (storage: Storage): Storage => ({
  ...storage,
  async put(_key, content) {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      hash.update(chunk);
    }
    return { bytes, hash: hash.digest('hex') };
  },
  copy: async () => undefined,
  remove: async () => undefined,
});
