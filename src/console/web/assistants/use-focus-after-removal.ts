import { useCallback, useEffect, useRef } from 'react';

/**
 * When a row goes, what was pressed in it goes too, and the focus would fall to the top of the
 * page. It is given to the box around the rows instead, which must take it (`tabIndex={-1}`).
 */
export function useFocusAfterRemoval(rows: readonly unknown[]) {
  const box = useRef<HTMLDivElement>(null);
  const isAwaited = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new rows are the reason, not an ingredient
  useEffect(() => {
    if (!isAwaited.current || document.activeElement !== document.body) return;
    isAwaited.current = false;
    box.current?.focus();
  }, [rows]);
  const onRemoved = useCallback(() => {
    isAwaited.current = true;
  }, []);
  return { box, onRemoved };
}
