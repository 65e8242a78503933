import { Link, useLocation } from 'wouter';

/** Pages of a section beside each other. Their addresses are relative to the section. */
export function Tabs({ label, items }: { label: string; items: readonly { href: string; label: string }[] }) {
  const [path] = useLocation();
  return (
    <nav className="tabs" aria-label={label}>
      {items.map(({ href, label: text }) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
