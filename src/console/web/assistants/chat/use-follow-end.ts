import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * Keeps the end of what grows in view, for as long as the reader is there. Who scrolls up to read
 * is left alone. `end` stands behind everything that grows; `grown` is what does, and is empty at
 * first.
 */
export function useFollowEnd(end: RefObject<HTMLElement | null>, grown: readonly unknown[]) {
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);

  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        follows.current = entry?.isIntersecting ?? true;
        setAtEnd(follows.current);
      },
      { rootMargin: '0px 0px 120px 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end]);

  useLayoutEffect(() => {
    if (follows.current && grown.length > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [end, grown]);

  const goToEnd = useCallback(() => {
    follows.current = true;
    end.current?.scrollIntoView({ block: 'end' });
  }, [end]);
  return { isAtEnd, goToEnd };
}
