import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useViewer } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import './frame.css';
import { navigationFor } from './navigation.ts';
import { OrganizationSwitch } from './organization-switch.tsx';

const icon = new URL('../icon.svg', import.meta.url).href;
const ThisPage = lazy(async () => ({
  default: (await import('../developers/this-page.tsx')).ThisPage,
}));

type FrameProps = {
  /** Called when the pointer or the focus reaches a link. */
  onLinkHover: (path: string) => void;
  children: ReactNode;
};

/** The layout around every page of a signed-in person: header, navigation and content. */
export function Frame({ onLinkHover, children }: FrameProps) {
  const viewer = useViewer();
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [showsCode, setShowsCode] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when another page is shown
  useEffect(() => setOpen(false), [path]);

  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="frame-bar">
        <Button
          kind="quiet"
          className="frame-menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
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
        id="navigation"
        className={isOpen ? 'frame-navigation frame-navigation-open' : 'frame-navigation'}
        aria-label="Main"
      >
        <ul>
          {navigationFor(viewer).map(({ href, label, icon }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={isCurrent(path, href) ? 'page' : undefined}
                onPointerEnter={() => onLinkHover(href)}
                onFocus={() => onLinkHover(href)}
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

const isCurrent = (path: string, href: string) =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
