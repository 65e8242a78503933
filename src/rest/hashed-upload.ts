import { createHash } from 'node:crypto';
import type { Upload } from '../http/upload.ts';

/** A file whose bytes are hashed while they are stored. */
export type HashedUpload = {
  upload: Upload;
  /**
   * Returns the hash of the name and the complete content. Bytes that have not been read yet are
   * read and discarded.
   */
  digest: () => Promise<Uint8Array>;
};

export function createHashedUpload(source: Upload): HashedUpload {
  let digest: Uint8Array | undefined;
  const upload = source.map((file) => {
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const chunk of file.content) {
        hash.update(chunk);
        yield chunk;
      }
      digest = createHash('sha256')
        .update(hash.digest())
        .update(file.name ?? '')
        .digest();
    }
    return { ...file, content: hashed() };
  });
  return {
    upload,
    async digest() {
      if (digest) return digest;
      const { content } = await upload.open();
      for await (const _ of content);
      if (!digest) throw new Error('The file was read but has no hash');
      return digest;
    },
  };
}
