import { useEffect, useRef, useSyncExternalStore } from 'react';
import { uploadQueueOf } from './upload-queue.ts';

/**
 * The uploads of an assistant as they go. `onUploaded` hears of each that the server has taken; then
 * its line is gone.
 */
export function useUploads(assistantId: string, onUploaded: (name: string) => void) {
  const queue = uploadQueueOf(assistantId);
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads);
  const tell = useRef(onUploaded);
  useEffect(() => {
    tell.current = onUploaded;
  });

  useEffect(() => {
    for (const { id, name, state } of uploads) {
      if (state !== 'taken') continue;
      queue.drop(id);
      tell.current(name);
    }
  }, [queue, uploads]);

  return { queue, uploads };
}
