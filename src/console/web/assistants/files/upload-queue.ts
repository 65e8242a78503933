import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { ReplaceFileDocument, UploadFileDocument } from '../documents.ts';
import { sizeError } from './file-labels.ts';
import { sendFile } from './send-file.ts';

export type FileUpload = {
  id: string;
  name: string;
  size: number;
  /** The id of the file that this upload replaces. */
  replaces: string | undefined;
  state: 'waiting' | 'sending' | 'uploaded' | 'rejected';
  /** The fraction that is sent, from 0 to 1. */
  fraction: number;
  fault?: ApiFault;
};

const concurrentUploadsMax = 3;

export const isUploading = ({ state }: FileUpload): boolean =>
  state === 'waiting' || state === 'sending';

/**
 * The uploads to one assistant, at most three at a time. The queue keeps running while the person
 * looks at other pages.
 */
export class UploadQueue {
  readonly #assistantId: string;
  readonly #files = new Map<string, File>();
  readonly #sending = new Map<string, AbortController>();
  readonly #listeners = new Set<() => void>();
  readonly #confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
  #uploads: readonly FileUpload[] = [];

  constructor(assistantId: string) {
    this.#assistantId = assistantId;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly uploads = (): readonly FileUpload[] => this.#uploads;

  add(files: Iterable<File>, replaces?: string): void {
    for (const file of files) {
      const id = crypto.randomUUID();
      const message = sizeError(file);
      const initialState =
        message === undefined
          ? { state: 'waiting' as const }
          : { state: 'rejected' as const, fault: { code: 'BAD_INPUT', message } };
      if (message === undefined) this.#files.set(id, file);
      this.#uploads = [
        ...this.#uploads,
        { id, name: file.name, size: file.size, replaces, fraction: 0, ...initialState },
      ];
    }
    this.#startNext();
  }

  /** Cancels an upload, or removes a finished one from the list. */
  remove(id: string): void {
    this.#sending.get(id)?.abort();
    this.#files.delete(id);
    this.#uploads = this.#uploads.filter((upload) => upload.id !== id);
    this.#startNext();
  }

  retry(id: string): void {
    this.#change(id, { state: 'waiting', fraction: 0 });
    this.#startNext();
  }

  canRetry(id: string): boolean {
    return this.#files.has(id);
  }

  #change(id: string, change: Partial<FileUpload>): void {
    this.#uploads = this.#uploads.map((upload) =>
      upload.id === id ? { ...upload, ...change } : upload,
    );
    this.#notify();
  }

  #notify(): void {
    // While uploads are running, the browser asks for confirmation before the page is closed, on
    // every page of the console.
    if (this.#uploads.some(isUploading)) addEventListener('beforeunload', this.#confirmLeaving);
    else removeEventListener('beforeunload', this.#confirmLeaving);
    for (const listener of this.#listeners) listener();
  }

  #startNext(): void {
    for (const upload of this.#uploads) {
      const file = this.#files.get(upload.id);
      if (upload.state === 'waiting' && file && this.#sending.size < concurrentUploadsMax)
        void this.#send(upload, file);
    }
    this.#notify();
  }

  async #send({ id, replaces }: FileUpload, file: File): Promise<void> {
    const controller = new AbortController();
    this.#sending.set(id, controller);
    this.#change(id, { state: 'sending' });
    const { signal } = controller;
    const onProgress = (fraction: number) => this.#change(id, { fraction });
    const variables = {
      assistantId: this.#assistantId,
      file: null,
      ...(replaces === undefined ? {} : { documentId: replaces }),
    };
    const document = replaces === undefined ? UploadFileDocument : ReplaceFileDocument;
    const fault = await sendFile({ document, variables, file, onProgress, signal });
    this.#sending.delete(id);
    if (fault) this.#change(id, { state: 'rejected', fault });
    else {
      this.#files.delete(id);
      this.#change(id, { state: 'uploaded', fraction: 1 });
    }
    this.#startNext();
  }
}

const queues = new Map<string, UploadQueue>();

function uploadQueueOf(assistantId: string): UploadQueue {
  const queue = queues.get(assistantId) ?? new UploadQueue(assistantId);
  queues.set(assistantId, queue);
  return queue;
}

/**
 * The current uploads of an assistant. `onUploaded` is called once for each finished upload, which
 * then leaves the list.
 */
export function useUploads(assistantId: string, onUploaded: (name: string) => void) {
  const queue = uploadQueueOf(assistantId);
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads);
  const latestOnUploaded = useRef(onUploaded);
  useEffect(() => {
    latestOnUploaded.current = onUploaded;
  });

  useEffect(() => {
    for (const { id, name, state } of uploads) {
      if (state !== 'uploaded') continue;
      queue.remove(id);
      latestOnUploaded.current(name);
    }
  }, [queue, uploads]);

  return { queue, uploads };
}
