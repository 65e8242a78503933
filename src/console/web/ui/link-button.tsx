import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ButtonKind } from './button.tsx';

/** A link to another page of the console that looks like a button. */
export function LinkButton({
  href,
  kind = 'plain',
  children,
}: {
  href: string;
  kind?: ButtonKind;
  children: ReactNode;
}) {
  return (
    <Link href={href} className={`button button-${kind}`}>
      {children}
    </Link>
  );
}
