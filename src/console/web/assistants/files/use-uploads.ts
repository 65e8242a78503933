import { useEffect, useRef, useSyncExternalStore } from 'react';
import { uploadQueueOf } from './upload-queue.ts';

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
