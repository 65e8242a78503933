import { useCallback, useEffect, useRef } from 'react';

/**
 * Removing a row also removes its focused button, and the focus would fall back to the top of the
 * page. The hook moves it to the element around the rows, which needs `tabIndex={-1}`.
 */
export function useFocusAfterRemoval(rows: readonly unknown[]) {
  const container = useRef<HTMLDivElement>(null);
  const isRemovalPending = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the rows change, although it does not read them
  useEffect(() => {
    if (!isRemovalPending.current || document.activeElement !== document.body) return;
    isRemovalPending.current = false;
    container.current?.focus();
  }, [rows]);
  const onRemoved = useCallback(() => {
    isRemovalPending.current = true;
  }, []);
  return { container, onRemoved };
}
