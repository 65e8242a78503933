import { memo, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';

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
      <ul className={className}>
        {Array.from({ length: Math.ceil(shown / itemsAtOnce) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place in the list
          <Group key={index} items={items} from={index * itemsAtOnce}>
            {children}
          </Group>
        ))}
      </ul>
      <div ref={end} />
    </>
  );
}

type GroupProps<Item> = {
  items: readonly Item[];
  from: number;
  children: (item: Item) => ReactNode;
};

const drawGroup = <Item,>({ items, from, children }: GroupProps<Item>): ReactNode =>
  items.slice(from, from + itemsAtOnce).map(children);

/** Items that were added together. They are not drawn again when more are added. */
const Group = memo(drawGroup) as typeof drawGroup;
