import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from './use-media.ts';

/**
 * Whether an element is narrow enough for its container, which is measured before each paint and
 * whenever the container changes its width. Never on a phone. How wide a table is depends on its
 * rows and the language, so no fixed width of the window can tell it.
 */
export function useFit(element: RefObject<HTMLElement | null>): boolean {
  const isPhone = useMedia('(width < 48rem)');
  const [fits, setFits] = useState(!isPhone);
  const widthNeeded = useRef(0);

  const measure = useCallback(() => {
    const container = element.current?.parentElement;
    if (!element.current || !container) return;
    const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(container);
    const width =
      container.clientWidth -
      Number.parseFloat(paddingInlineStart) -
      Number.parseFloat(paddingInlineEnd);
    if (fits) widthNeeded.current = element.current.offsetWidth;
    // Widths are rounded to whole pixels.
    setFits(!isPhone && width + 1 >= widthNeeded.current);
  }, [element, fits, isPhone]);

  useLayoutEffect(measure);
  useEffect(() => {
    const container = element.current?.parentElement;
    if (!container) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(container);
    return () => observer.disconnect();
  }, [element, measure]);
  return fits;
}
