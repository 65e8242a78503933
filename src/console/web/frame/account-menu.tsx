import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useSession, useViewer } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { chooseTheme, currentTheme } from './theme.ts';

/** The account menu: settings, theme, the queries of this page, and sign-out. */
export function AccountMenu({ onShowCode }: { onShowCode: () => void }) {
  const { signOut } = useSession();
  const { person } = useViewer();
  const [theme, setTheme] = useState(currentTheme);
  const isDark = theme === 'dark';
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover();
  const toggleTheme = () => {
    const newTheme = isDark ? 'light' : 'dark';
    chooseTheme(newTheme);
    setTheme(newTheme);
  };
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ') || person.email;

  return (
    <div className="frame-account">
      <Button kind="quiet" popoverTarget="account-menu">
        <Icon name="user" />
        <span className="frame-account-name">{name}</span>
        <span className="sr-only">: menu</span>
      </Button>
      <div id="account-menu" popover="auto" ref={menu} className="frame-account-menu">
        <p>
          <strong>{name}</strong>
          <br />
          {person.email}
        </p>
        <Link href="/settings" onClick={close}>
          <Icon name="settings" /> Settings
        </Link>
        <button type="button" onClick={toggleTheme}>
          <Icon name={isDark ? 'sun' : 'moon'} /> {isDark ? 'Light theme' : 'Dark theme'}
        </button>
        <button
          type="button"
          onClick={() => {
            close();
            onShowCode();
          }}
        >
          <Icon name="code" /> Show this page as GraphQL and curl
        </button>
        <button type="button" onClick={signOut}>
          <Icon name="logout" /> Sign out
        </button>
      </div>
    </div>
  );
}
