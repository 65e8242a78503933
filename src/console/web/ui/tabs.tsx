import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';

/** Links between the pages of a section. Their paths are relative to the section. */
export function Tabs({
  label,
  items,
}: {
  label: string;
  items: readonly { href: string; label: string }[];
}) {
  const [path] = useLocation();
  const list = useRef<HTMLElement>(null);
  // When the tabs overflow, the current one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab changes with the path
  useEffect(() => {
    // The block body drops the return value: newer browsers return a promise, which React would
    // take for a cleanup function.
    list.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <nav ref={list} className="tabs" aria-label={label}>
      {items.map(({ href, label: text }) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
