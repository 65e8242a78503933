import { PassThrough } from 'node:stream';
import { Upload } from '../../http/upload.ts';
import { newId } from '../../platform/ids.ts';
import { removeUnused, type Storage } from '../../platform/storage/stored-object.ts';
import { toRunError } from '../runs/full-disk.ts';

/** A file that was sent with a question, whose bytes are stored. */
export type StoredAttachment = {
  id: string;
  originalName: string;
  mimeType: string;
  size: number;
  hash: string;
  storageKey: string;
};

type AttachmentStorage = {
  organizationId: string;
  storage: Storage;
  /** Throws as soon as the files have more bytes than the organization may store. */
  limitToQuota: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
};

type ReceivedAttachments = {
  /** The same files. Whoever reads one stores it. */
  uploads: Upload[];
  /** The files, once all of them have been read. */
  stored(): Promise<StoredAttachment[]>;
  /** Removes the files again, because the question was refused. */
  discard(): Promise<void>;
};

/** Stores files while the run reads them. */
export function receiveAttachments(
  files: readonly Upload[],
  { organizationId, storage, limitToQuota }: AttachmentStorage,
): ReceivedAttachments {
  const storing: Promise<StoredAttachment>[] = [];
  const uploads = files.map(
    (upload, index) =>
      new Upload(async () => {
        const { originalName, mimeType, content } = await upload.open(`files[${index}]`);
        const id = newId();
        const storageKey = `${organizationId}/${id}`;
        const copy = new PassThrough();
        // The storage can fail before the run reads the first byte. Without a listener, the error
        // would end the process.
        copy.on('error', () => undefined);
        const stored = storage.put(storageKey, copy).then(
          ({ bytes: size, hash }) => ({ id, originalName, mimeType, size, hash, storageKey }),
          (error: unknown) => {
            copy.destroy(error instanceof Error ? error : undefined);
            throw toRunError(error);
          },
        );
        // Awaited by stored() or discard(); until then a rejection must not count as unhandled.
        stored.catch(() => undefined);
        storing[index] = stored;
        return { name: originalName, mimeType, content: copyTo(copy, limitToQuota(content)) };
      }, upload.bytesMin),
  );
  return {
    uploads,
    stored: () => Promise.all(storing),
    async discard() {
      for (const stored of await Promise.allSettled(storing))
        if (stored.status === 'fulfilled') await removeUnused(storage, stored.value.storageKey);
    },
  };
}

/** Yields the content and writes it to a stream, as fast as the slower of both reads. */
async function* copyTo(
  copy: PassThrough,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let isComplete = false;
  try {
    for await (const chunk of content) {
      if (copy.errored) throw copy.errored;
      if (!copy.write(chunk)) await untilRoom(copy);
      yield chunk;
    }
    isComplete = true;
    copy.end();
  } finally {
    if (!isComplete) copy.destroy(new Error('The file was not read to its end'));
  }
}

/** Waits until the stream takes more, or was destroyed. */
const untilRoom = (stream: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
  });
