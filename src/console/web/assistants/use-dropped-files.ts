import { useEffect, useRef, useState } from 'react';
import { readDropped } from './read-dropped.ts';

/**
 * Accepts files and folders that are dropped anywhere on the page: a file dropped beside the drop
 * zone would otherwise replace the page. Returns whether files are dragged over the page now.
 */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latestOnFiles = useRef(onFiles);
  useEffect(() => {
    latestOnFiles.current = onFiles;
  });

  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      const { dataTransfer } = event;
      setOver(false);
      if (!dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      void readDropped(dataTransfer).then((files) => {
        if (files.length > 0) latestOnFiles.current(files);
      });
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
    };
  }, []);
  return isOver;
}
