import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation } from 'wouter';
import { isCurrentPage, Tabs } from './page.tsx';
import { useMedia } from './use-media.ts';
import './section-pages.css';

const placeId = 'section-pages';

/** Where the frame shows the pages of the section: below the main navigation. */
export const SectionPagesPlace = () => <div id={placeId} />;

type SectionPagesProps = {
  label: string;
  groups: readonly {
    title?: string | undefined;
    pages: readonly { href: string; label: string }[];
  }[];
};

/**
 * Links between the pages of a section that has more of them than fit into a row of tabs. They are
 * below the main navigation, and tabs where that is a menu.
 */
export function SectionPages({ label, groups }: SectionPagesProps) {
  const [path] = useLocation();
  const hasSideNavigation = useMedia('(width >= 48rem)');
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setPlace(document.getElementById(placeId)), []);
  if (!hasSideNavigation)
    return <Tabs label={label} items={groups.flatMap(({ pages }) => pages)} />;
  return (
    place &&
    createPortal(
      <nav className="section-pages" aria-label={label}>
        {groups.map(({ title, pages }) => (
          <div key={title ?? ''}>
            {title !== undefined && <p className="section-pages-title">{title}</p>}
            <ul className="plain-list">
              {pages.map(({ href, label: text }) => (
                <li key={href}>
                  <Link href={href} aria-current={isCurrentPage(path, href) ? 'page' : undefined}>
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>,
      place,
    )
  );
}
