import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A reader within this distance of the end counts as being at the end. */
const nearEndPx = 120;

/**
 * Scrolls to the end while content grows, as long as the reader is at the end. A reader who scrolls
 * up is not interrupted. `end` is an element behind the growing content; `content` is the content,
 * which is empty at first.
 */
export function useFollowEnd(end: RefObject<HTMLElement | null>, content: readonly unknown[]) {
  const [isAtEnd, setAtEnd] = useState(true);
  const isFollowing = useRef(true);

  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        isFollowing.current = entry?.isIntersecting ?? true;
        setAtEnd(isFollowing.current);
      },
      { rootMargin: `0px 0px ${nearEndPx}px 0px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end]);

  const endBefore = useRef(0);
  useLayoutEffect(() => {
    if (!end.current) return;
    const endNow = end.current.getBoundingClientRect().bottom + window.scrollY;
    // On a busy machine the observer reports late that the reader has scrolled up. So this measures
    // how far the reader was from the end before the content grew.
    const distance = Math.min(endBefore.current, endNow) - window.scrollY - window.innerHeight;
    endBefore.current = endNow;
    if (isFollowing.current && distance <= nearEndPx && content.length > 0)
      end.current.scrollIntoView({ block: 'end' });
  }, [end, content]);

  const goToEnd = useCallback(() => {
    isFollowing.current = true;
    end.current?.scrollIntoView({ block: 'end' });
  }, [end]);
  return { isAtEnd, goToEnd };
}
