import type { Viewer } from '../session/session.tsx';
import type { IconName } from '../ui/icon.tsx';

export type NavigationItem = { href: string; label: string; icon: IconName };

/**
 * The entries of the main navigation for one person. Pages that the person may not use are left
 * out; a page whose feature is disabled explains that itself.
 */
export function navigationFor({ isAdmin, organization, features }: Viewer): NavigationItem[] {
  const items: NavigationItem[] = [{ href: '/', label: 'Home', icon: 'home' }];
  if (organization) {
    items.push({ href: '/assistants', label: 'Assistants', icon: 'chat' });
    if (isAdmin && features.includes('partnerSponsorship'))
      items.push({ href: '/sponsorship', label: 'Sponsorship', icon: 'sparkle' });
    if (isAdmin) items.push({ href: '/vault', label: 'Vault', icon: 'database' });
  }
  items.push(
    { href: '/developers', label: 'Developers', icon: 'code' },
    { href: '/settings', label: 'Settings', icon: 'settings' },
  );
  return items;
}
