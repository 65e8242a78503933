import type { Viewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
import { containsWords } from '../../ui/fold-text.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { RecentPage } from './recent-pages.ts';

export type PalettePage = { href: string; label: string; icon: IconName };

/** What a person can choose: a page that is opened, or an action. */
export type PaletteEntry = {
  id: string;
  label: string;
  hint?: string | undefined;
  icon: IconName;
  target: string | (() => void);
};

export type PaletteGroup = { title: string; entries: readonly PaletteEntry[] };

const pageEntry = ({ href, label, icon }: PalettePage, hint?: string): PaletteEntry => ({
  // A section and its first page have the same address.
  ...{ id: `${href} ${label}`, label, icon, target: href },
  ...(hint !== undefined && { hint }),
});

/** The pages below those of the navigation. */
export function subpagesFor({ isAdmin, organization, features }: Viewer): PaletteEntry[] {
  const settings = (pages: Record<string, string>) =>
    Object.entries(pages).map(([path, label]) =>
      pageEntry({ href: `/settings${path}`, label, icon: 'settings' }, t('palette.settings')),
    );
  const isAdministrator = organization !== null && isAdmin;
  return [
    ...settings({ '': t('palette.profile'), '/security': t('palette.security') }),
    ...(organization ? settings({ '/keys': t('palette.myKeys') }) : []),
    ...(organization
      ? [pageEntry({ href: '/notifications', label: t('palette.notifications'), icon: 'bell' })]
      : []),
    ...(isAdministrator
      ? settings({
          '/organization': t('palette.organization'),
          '/organization-keys': t('palette.organizationKeys'),
          '/members': t('palette.members'),
          '/teams': t('palette.teams'),
          '/usage': t('palette.usage'),
          '/audit': t('palette.auditLog'),
        })
      : []),
    ...(isAdministrator && features.includes('EVENTS')
      ? settings({ '/webhooks': t('palette.webhooks') })
      : []),
    ...(isAdministrator && features.includes('PARTNER_SPONSORSHIP')
      ? [
          pageEntry(
            { href: '/sponsorship/campaigns', label: t('palette.campaigns'), icon: 'sparkle' },
            t('palette.sponsorship'),
          ),
          pageEntry(
            { href: '/sponsorship/redemptions', label: t('palette.redemptions'), icon: 'sparkle' },
            t('palette.sponsorship'),
          ),
        ]
      : []),
    ...(isAdministrator
      ? [
          pageEntry(
            { href: '/vault/documents', label: t('palette.documents'), icon: 'database' },
            t('palette.vault'),
          ),
          pageEntry(
            { href: '/vault/search', label: t('palette.search'), icon: 'database' },
            t('palette.vault'),
          ),
        ]
      : []),
  ];
}

type Actions = {
  isDark: boolean;
  toggleTheme: () => void;
  showCode: () => void;
  signOut: () => void;
};

export const actionsFor = (
  { organization }: Viewer,
  { isDark, toggleTheme, showCode, signOut }: Actions,
): PaletteEntry[] => [
  ...(organization
    ? [pageEntry({ href: '/assistants/new', label: t('palette.newAssistant'), icon: 'plus' })]
    : []),
  {
    ...{ id: 'theme', icon: isDark ? 'sun' : 'moon', target: toggleTheme },
    label: isDark ? t('frame.lightTheme') : t('frame.darkTheme'),
  },
  { id: 'code', label: t('frame.showCode'), icon: 'code', target: showCode },
  { id: 'sign-out', label: t('frame.signOut'), icon: 'logout', target: signOut },
];

type StaticEntries = {
  /** The favourite assistants. */
  favorites: readonly PaletteEntry[];
  recentPages: readonly RecentPage[];
  actions: readonly PaletteEntry[];
  pages: readonly PaletteEntry[];
};

/**
 * The groups of entries that match what the person has typed. Without a text the recent pages come
 * first; with one, pages and what the graph has found.
 */
export function paletteGroups(
  typed: string,
  { favorites, recentPages, actions, pages }: StaticEntries,
  found: readonly PaletteGroup[],
): PaletteGroup[] {
  const recent = recentPages.map(
    ({ path, title }): PaletteEntry => ({
      ...{ id: `recent ${path}`, label: title, icon: 'clock', target: path },
    }),
  );
  const favoriteGroup = { title: t('palette.favorites'), entries: favorites };
  const [pageGroup, actionGroup] = [
    { title: t('palette.pages'), entries: pages },
    { title: t('palette.actions'), entries: actions },
  ];
  const groups =
    typed.trim() === ''
      ? [{ title: t('palette.recent'), entries: recent }, favoriteGroup, actionGroup, pageGroup]
      : [
          ...matchingGroups([pageGroup, favoriteGroup], typed),
          ...withoutEntries(found, favorites),
          ...matchingGroups([actionGroup], typed),
        ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** The groups without the entries that another one has. */
function withoutEntries(
  groups: readonly PaletteGroup[],
  others: readonly PaletteEntry[],
): PaletteGroup[] {
  const ids = new Set(others.map(({ id }) => id));
  return groups.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ id }) => !ids.has(id)),
  }));
}

/** The entries that contain each word that the person has typed. */
export function matchingGroups(groups: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  return groups.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ label, hint = '' }) =>
      words.every((word) => containsWords(`${label} ${hint}`, word)),
    ),
  }));
}

export const navigationEntries = (pages: readonly PalettePage[]): PaletteEntry[] =>
  pages.map((page) => pageEntry(page));
