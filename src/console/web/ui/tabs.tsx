import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';

/** Pages of a section beside each other. Their addresses are relative to the section. */
export function Tabs({
  label,
  items,
}: {
  label: string;
  items: readonly { href: string; label: string }[];
}) {
  const [path] = useLocation();
  const list = useRef<HTMLElement>(null);
  // Where there is not room for all of them, the one that is shown must not be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the page its tab changes
  useEffect(() => {
    // Its answer, a promise in newer browsers, is nothing that React could clean up with.
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
