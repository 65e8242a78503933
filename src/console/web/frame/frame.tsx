import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { LanguageChoice } from '../session/language-choice.tsx';
import { useSession, useViewer, type Viewer } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { displayName } from '../ui/labels.ts';
import { lazyPart, pendingDialog } from '../ui/lazy-part.tsx';
import { SectionPagesPlace } from '../ui/section-pages.tsx';
import { Bell } from './notifications/bell.tsx';
import { PaletteOpener } from './palette/palette-opener.tsx';
import { chooseTheme, useTheme } from './theme.ts';
import './frame.css';
import { loadTexts } from '../texts/messages.ts';
import { t } from '../texts/text.ts';

const icon = new URL('../icon.svg', import.meta.url).href;
const ThisPage = lazyPart(async () => {
  const [module] = await Promise.all([
    import('../developers/this-page.tsx'),
    loadTexts('developers'),
  ]);
  return module.ThisPage;
}, pendingDialog);

type FrameProps = {
  /** Loads the code of a page, whose link the pointer or the focus has reached. */
  preload: (path: string) => Promise<void>;
  preloadWhenIdle: (paths: readonly string[]) => void;
  children: ReactNode;
};

/** The layout around every page of a signed-in person: header, navigation and content. */
export function Frame({ preload, preloadWhenIdle, children }: FrameProps) {
  const viewer = useViewer();
  const [path] = useLocation();
  const pages = navigationFor(viewer);
  const [isOpen, setOpen] = useState(false);
  const [showsCode, setShowsCode] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page load is enough
  useEffect(() => preloadWhenIdle(pages.map(({ href }) => href)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when another page is shown
  useEffect(() => setOpen(false), [path]);

  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t('frame.skipToContent')}
      </a>
      <header className="frame-bar">
        <Button
          subject={t('frame.menu')}
          kind="quiet"
          className="frame-menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </Button>
        <Link className="frame-brand" href="/">
          <img src={icon} alt="" width="28" height="28" />
          Atrium
        </Link>
        <OrganizationSwitch />
        <PaletteOpener pages={pages} onShowCode={() => setShowsCode(true)} />
        {viewer.organization && <Bell />}
        <AccountMenu onShowCode={() => setShowsCode(true)} />
      </header>
      <nav
        id="navigation"
        className={isOpen ? 'frame-navigation frame-navigation-open' : 'frame-navigation'}
        aria-label={t('frame.main')}
      >
        <ul className="plain-list">
          {pages.map(({ href, label, icon }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={isCurrent(path, href) ? 'page' : undefined}
                onPointerEnter={() => void preload(href)}
                onFocus={() => void preload(href)}
              >
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <SectionPagesPlace />
      </nav>
      <main id="content" className="frame-content" tabIndex={-1}>
        {children}
      </main>
      {showsCode && <ThisPage open onClose={() => setShowsCode(false)} />}
    </div>
  );
}

const isCurrent = (path: string, href: string) =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);

/** The account menu: settings, theme, the queries of this page, and sign-out. */
function AccountMenu({ onShowCode }: { onShowCode: () => void }) {
  const { signOut } = useSession();
  const { person } = useViewer();
  const isDark = useTheme() === 'dark';
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover();
  const toggleTheme = () => chooseTheme(isDark ? 'light' : 'dark');
  const name = displayName(person);

  return (
    <div className="frame-account">
      <Button
        icon="user"
        subject={t('frame.accountMenu')}
        kind="quiet"
        popoverTarget="account-menu"
      >
        <span className="frame-account-name">{name}</span>
      </Button>
      <div id="account-menu" popover="auto" ref={menu} className="frame-account-menu">
        <p>
          <strong>{name}</strong>
          <br />
          {person.email}
        </p>
        <Link href="/settings" onClick={close}>
          <Icon name="settings" /> {t('frame.settings')}
        </Link>
        <LanguageChoice />
        <button type="button" onClick={toggleTheme}>
          <Icon name={isDark ? 'sun' : 'moon'} />{' '}
          {isDark ? t('frame.lightTheme') : t('frame.darkTheme')}
        </button>
        <button
          type="button"
          onClick={() => {
            close();
            onShowCode();
          }}
        >
          <Icon name="code" /> {t('frame.showCode')}
        </button>
        <button type="button" onClick={signOut}>
          <Icon name="logout" /> {t('frame.signOut')}
        </button>
      </div>
    </div>
  );
}

/**
 * Chooses the organization that requests name. A person whose only organization is the default one
 * sees its name instead of a list.
 */
function OrganizationSwitch() {
  const { choose } = useSession();
  const { organization, memberships } = useViewer();
  if (memberships.length === 0)
    return <span className="frame-organization">{t('frame.noOrganization')}</span>;
  if (organization && memberships.length === 1)
    return <span className="frame-organization">{organization.name}</span>;
  return (
    <select
      className="frame-organization"
      aria-label={t('frame.organization')}
      value={organization?.id ?? ''}
      onChange={({ target }) => choose(target.value)}
    >
      {!organization && (
        <option value="" disabled>
          {t('frame.chooseOrganization')}
        </option>
      )}
      {memberships.map(({ organization: { id, name }, isAccepted }) => (
        <option key={id} value={id}>
          {isAccepted ? name : t('frame.addedYou', { name })}
        </option>
      ))}
    </select>
  );
}

type NavigationItem = { href: string; label: string; icon: IconName };

/**
 * The entries of the main navigation for one person. Pages that the person may not use are left
 * out; a page whose feature is disabled explains that itself.
 */
function navigationFor({ isAdmin, organization, features }: Viewer): NavigationItem[] {
  const items: NavigationItem[] = [{ href: '/', label: t('frame.home'), icon: 'home' }];
  if (organization) {
    items.push({ href: '/assistants', label: t('frame.assistants'), icon: 'chat' });
    if (isAdmin && features.includes('PARTNER_SPONSORSHIP'))
      items.push({ href: '/sponsorship', label: t('frame.sponsorship'), icon: 'sparkle' });
    if (isAdmin) items.push({ href: '/vault', label: t('frame.vault'), icon: 'database' });
  }
  items.push(
    { href: '/developers', label: t('frame.developers'), icon: 'code' },
    { href: '/settings', label: t('frame.settings'), icon: 'settings' },
  );
  return items;
}
