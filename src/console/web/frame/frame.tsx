import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useViewer } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import './frame.css';
import { OrganizationSwitch } from './organization-switch.tsx';
import { placesOf } from './places.ts';

const icon = new URL('../icon.svg', import.meta.url).href;
const ThisPage = lazy(async () => ({
  default: (await import('../developers/this-page.tsx')).ThisPage,
}));

type FrameProps = {
  /** Somebody is about to go there. */
  onNearing: (path: string) => void;
  children: ReactNode;
};

/** What stands around every page of somebody who is signed in. */
export function Frame({ onNearing, children }: FrameProps) {
  const viewer = useViewer();
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [showsCode, setShowsCode] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when another page is shown
  useEffect(() => setOpen(false), [path]);

  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="frame-bar">
        <Button
          kind="quiet"
          className="frame-menu"
          aria-expanded={isOpen}
          aria-controls="places"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
          <span className="sr-only">Menu</span>
        </Button>
        <Link className="frame-brand" href="/">
          <img src={icon} alt="" width="28" height="28" />
          Atrium
        </Link>
        <OrganizationSwitch />
        <AccountMenu onShowCode={() => setShowsCode(true)} />
      </header>
      <nav
        id="places"
        className={isOpen ? 'frame-places frame-places-open' : 'frame-places'}
        aria-label="Places"
      >
        <ul>
          {placesOf(viewer).map(({ href, label, icon }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={isAt(path, href) ? 'page' : undefined}
                onPointerEnter={() => onNearing(href)}
                onFocus={() => onNearing(href)}
              >
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" className="frame-content" tabIndex={-1}>
        {children}
      </main>
      {showsCode && (
        <Suspense>
          <ThisPage open onClose={() => setShowsCode(false)} />
        </Suspense>
      )}
    </div>
  );
}

const isAt = (path: string, href: string) =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
