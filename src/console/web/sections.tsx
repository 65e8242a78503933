import { type ComponentType, lazy, useState } from 'react';

type Section = { Page: ComponentType; load: () => Promise<unknown> };

/**
 * A section that is loaded when it is first shown, or a little before. What is there already is
 * shown at once: React would hold back what it waited for, however shortly, for 0.3 s.
 */
function section<Name extends string>(
  name: Name,
  fetchIt: () => Promise<Record<Name, ComponentType>>,
): Section {
  let loaded: ComponentType | undefined;
  const load = async () => {
    loaded = (await fetchIt())[name];
    return { default: loaded };
  };
  const Awaited = lazy(load);
  const Page = () => {
    const [Shown] = useState<ComponentType>(() => loaded ?? Awaited);
    return <Shown />;
  };
  return { Page, load };
}

/** By the first part of their address. */
export const sections = {
  auth: section('Auth', () => import('./auth/auth.tsx')),
  '': section('Home', () => import('./home/home.tsx')),
  assistants: section('Assistants', () => import('./assistants/assistants.tsx')),
  sponsorship: section('Sponsorship', () => import('./sponsorship/sponsorship.tsx')),
  vault: section('Vault', () => import('./vault/vault.tsx')),
  developers: section('Developers', () => import('./developers/developers.tsx')),
  settings: section('Settings', () => import('./settings/settings.tsx')),
};

/**
 * Begins to load what an address shows. Where that fails, it is tried again when it is shown, and a
 * failure is told then.
 */
export function preload(path: string): void {
  const [, wanted = ''] = path.split('/');
  const [, found] = Object.entries(sections).find(([name]) => name === wanted) ?? [];
  found?.load().catch(() => undefined);
}
