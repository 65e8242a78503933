import type { Viewer } from '../session/session.tsx';
import type { IconName } from '../ui/icon.tsx';

export type Place = { href: string; label: string; icon: IconName };

/**
 * Where somebody can go. What is not for them is not shown; what is not switched on says so on its
 * own page.
 */
export function placesOf({ isAdmin, organization, features }: Viewer): Place[] {
  const places: Place[] = [{ href: '/', label: 'Home', icon: 'home' }];
  if (organization) {
    places.push({ href: '/assistants', label: 'Assistants', icon: 'chat' });
    if (isAdmin && features.includes('partnerSponsorship'))
      places.push({ href: '/sponsorship', label: 'Sponsorship', icon: 'sparkle' });
    if (isAdmin) places.push({ href: '/vault', label: 'Vault', icon: 'database' });
  }
  places.push(
    { href: '/developers', label: 'Developers', icon: 'code' },
    { href: '/settings', label: 'Settings', icon: 'settings' },
  );
  return places;
}
