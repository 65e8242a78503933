import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';

type PageHeadProps = {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
};

// The first page after a load leaves the focus where the browser puts it.
let isFirstPage = true;

/**
 * The heading of a page. It sets the window title, and takes the focus on navigation, so that
 * screen readers announce the new page.
 */
export function PageHead({ title, lead, actions, back }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Atrium`;
  }, [title]);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, []);
  return (
    <header className="page-head">
      {back && (
        <Link href={back.href} className="page-back">
          ← {back.label}
        </Link>
      )}
      <div className="page-head-row">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {lead && <p className="lead">{lead}</p>}
    </header>
  );
}
