import { createHash } from 'node:crypto';
import type { Upload } from '../graph/upload.ts';

/** A file whose bytes are hashed on their way to whoever stores it. */
export type HashedUpload = {
  upload: Upload;
  /** Name and hash of the whole file. What nobody has read of it is read, and thrown away. */
  digest: () => Promise<Uint8Array>;
};

export function hashedUpload(given: Upload): HashedUpload {
  let digest: Uint8Array | undefined;
  const upload = given.passedThrough((part) => {
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const chunk of part.content) {
        hash.update(chunk);
        yield chunk;
      }
      digest = createHash('sha256')
        .update(hash.digest())
        .update(part.name ?? '')
        .digest();
    }
    return { ...part, content: hashed() };
  });
  return {
    upload,
    async digest() {
      if (digest) return digest;
      const { content } = await upload.open();
      for await (const _ of content);
      if (!digest) throw new Error('The file was read, and has no hash');
      return digest;
    },
  };
}
