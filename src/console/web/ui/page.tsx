import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { formatNumber } from '../texts/format.ts';

type PageHeadProps = {
  title: string;
  lead?: ReactNode;
  /** Shown in place of the title, which stays the heading for screen readers. */
  titleControl?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
};

// The first page after a load leaves the focus where the browser puts it.
let isFirstPage = true;

/**
 * The heading of a page. It sets the window title, and takes the focus on navigation, so that
 * screen readers announce the new page.
 */
export function PageHead({ title, titleControl, lead, actions, back }: PageHeadProps) {
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
      <div className="page-head-row spread">
        <h1 ref={heading} tabIndex={-1} className={titleControl ? 'sr-only' : undefined}>
          {title}
        </h1>
        {titleControl}
        {actions && <div className="row">{actions}</div>}
      </div>
      {lead && <p className="lead">{lead}</p>}
    </header>
  );
}

type CardProps = { title?: string; actions?: ReactNode; children: ReactNode };

export function Card({ title, actions, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={title ? id : undefined}>
      {title && (
        <header className="card-head spread">
          <h2 id={id}>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

type FigureProps = { label: string; value: ReactNode; hint?: ReactNode };

/** One key figure: a value with its label. */
export const Figure = ({ label, value, hint }: FigureProps) => (
  <div className="figure">
    <dt>{label}</dt>
    <dd>
      <span className="figure-value">
        {typeof value === 'number' ? formatNumber(value) : value}
      </span>
      {hint && <span className="hint">{hint}</span>}
    </dd>
  </div>
);

export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="figures">{children}</dl>
);

/** Whether a link of a section leads to the page with this path, or to a page that it contains. */
export const isCurrentPage = (path: string, href: string): boolean =>
  path === href || (href !== '/' && path.startsWith(`${href}/`));

type TabsProps = { label: string; items: readonly { href: string; label: string }[] };

/** Links between the pages of a section. Their paths are relative to the section. */
export function Tabs({ label, items }: TabsProps) {
  const [path] = useLocation();
  const list = useRef<HTMLElement>(null);
  // When the tabs overflow, the current one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab changes with the path, and when tabs are added
  useEffect(() => {
    // The block body drops the return value: newer browsers return a promise, which React would
    // take for a cleanup function.
    list.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path, items.length]);
  return (
    <nav ref={list} className="tabs" aria-label={label}>
      {items.map(({ href, label: text }) => (
        <Link key={href} href={href} aria-current={isCurrentPage(path, href) ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
