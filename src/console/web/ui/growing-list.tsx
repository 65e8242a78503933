import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';

type GrowingListProps<Item> = {
  className: string;
  items: readonly Item[];
  children: (item: Item) => ReactNode;
};

const itemsAtOnce = 24;

/** A long list whose items are added while the person scrolls towards its end. */
export function GrowingList<Item>({ className, items, children }: GrowingListProps<Item>) {
  const [shown, setShown] = useState(itemsAtOnce);
  const end = useRef<HTMLDivElement>(null);
  const hasMore = shown < items.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end has moved when more is shown
  useEffect(() => {
    if (!end.current || !hasMore) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) =>
        entry?.isIntersecting && startTransition(() => setShown((count) => count + itemsAtOnce)),
      // Two screens ahead, so that the end is not seen.
      { rootMargin: '200% 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, shown]);
  return (
    <>
      <ul className={className}>{items.slice(0, shown).map(children)}</ul>
      <div ref={end} />
    </>
  );
}
