import type { Fault } from '../../graph/fault.ts';
import { ReplaceFileDocument, UploadFileDocument } from '../documents.ts';
import { sizeFault } from './file-words.ts';
import { sendFile } from './send-file.ts';

export type Upload = {
  id: string;
  name: string;
  size: number;
  /** The file whose place it takes. */
  replaces: string | undefined;
  state: 'waiting' | 'sending' | 'taken' | 'refused';
  /** How much of it is sent, from 0 to 1. */
  share: number;
  fault?: Fault;
};

const concurrentUploadsMax = 3;

export const isUploading = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending';

/**
 * The files that are on their way to one assistant: three at a time, the others wait. It goes on
 * while other pages are looked at.
 */
export class UploadQueue {
  readonly #assistantId: string;
  readonly #files = new Map<string, File>();
  readonly #sending = new Map<string, AbortController>();
  readonly #listeners = new Set<() => void>();
  readonly #askFirst = (event: BeforeUnloadEvent) => event.preventDefault();
  #uploads: readonly Upload[] = [];

  constructor(assistantId: string) {
    this.#assistantId = assistantId;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly uploads = (): readonly Upload[] => this.#uploads;

  add(files: Iterable<File>, replaces?: string): void {
    for (const file of files) {
      const id = crypto.randomUUID();
      const message = sizeFault(file);
      const outcome =
        message === undefined
          ? { state: 'waiting' as const }
          : { state: 'refused' as const, fault: { code: 'BAD_INPUT', message } };
      if (message === undefined) this.#files.set(id, file);
      this.#uploads = [
        ...this.#uploads,
        { id, name: file.name, size: file.size, replaces, share: 0, ...outcome },
      ];
    }
    this.#next();
  }

  /** Ends an upload, or takes the line of one that has ended off the page. */
  drop(id: string): void {
    this.#sending.get(id)?.abort();
    this.#files.delete(id);
    this.#uploads = this.#uploads.filter((upload) => upload.id !== id);
    this.#next();
  }

  retry(id: string): void {
    this.#change(id, { state: 'waiting', share: 0 });
    this.#next();
  }

  canRetry(id: string): boolean {
    return this.#files.has(id);
  }

  #change(id: string, change: Partial<Upload>): void {
    this.#uploads = this.#uploads.map((upload) =>
      upload.id === id ? { ...upload, ...change } : upload,
    );
    this.#tell();
  }

  #tell(): void {
    // Whoever leaves the page now is asked first, wherever in the console they are.
    if (this.#uploads.some(isUploading)) addEventListener('beforeunload', this.#askFirst);
    else removeEventListener('beforeunload', this.#askFirst);
    for (const listener of this.#listeners) listener();
  }

  #next(): void {
    for (const upload of this.#uploads) {
      const file = this.#files.get(upload.id);
      if (upload.state === 'waiting' && file && this.#sending.size < concurrentUploadsMax)
        void this.#send(upload, file);
    }
    this.#tell();
  }

  async #send({ id, replaces }: Upload, file: File): Promise<void> {
    const controller = new AbortController();
    this.#sending.set(id, controller);
    this.#change(id, { state: 'sending' });
    const { signal } = controller;
    const onProgress = (share: number) => this.#change(id, { share });
    const variables = {
      assistantId: this.#assistantId,
      file: null,
      ...(replaces === undefined ? {} : { documentId: replaces }),
    };
    const document = replaces === undefined ? UploadFileDocument : ReplaceFileDocument;
    const fault = await sendFile({ document, variables, file, onProgress, signal });
    this.#sending.delete(id);
    if (fault) this.#change(id, { state: 'refused', fault });
    else {
      this.#files.delete(id);
      this.#change(id, { state: 'taken', share: 1 });
    }
    this.#next();
  }
}

const queues = new Map<string, UploadQueue>();

export function uploadQueueOf(assistantId: string): UploadQueue {
  const queue = queues.get(assistantId) ?? new UploadQueue(assistantId);
  queues.set(assistantId, queue);
  return queue;
}
