import { type ComponentType, lazy, useState } from 'react';

type LazySection = { Page: ComponentType; load: () => Promise<unknown> };

/**
 * A section whose code is loaded when it is first shown, or earlier by `preload`. Code that is
 * already loaded renders without Suspense: React delays the content of a resolved Suspense boundary
 * by 0.3 s.
 */
function lazySection<Name extends string>(
  name: Name,
  importModule: () => Promise<Record<Name, ComponentType>>,
): LazySection {
  let loaded: ComponentType | undefined;
  const load = async () => {
    loaded = (await importModule())[name];
    return { default: loaded };
  };
  const LazyPage = lazy(load);
  const Page = () => {
    const [PageComponent] = useState<ComponentType>(() => loaded ?? LazyPage);
    return <PageComponent />;
  };
  return { Page, load };
}

/** The sections by the first segment of their path. */
export const sections = {
  auth: lazySection('Auth', () => import('./auth/auth.tsx')),
  '': lazySection('Home', () => import('./home/home.tsx')),
  assistants: lazySection('Assistants', () => import('./assistants/assistants.tsx')),
  sponsorship: lazySection('Sponsorship', () => import('./sponsorship/sponsorship.tsx')),
  vault: lazySection('Vault', () => import('./vault/vault.tsx')),
  developers: lazySection('Developers', () => import('./developers/developers.tsx')),
  settings: lazySection('Settings', () => import('./settings/settings.tsx')),
};

/**
 * Starts to load the code of a path's section. A failure is ignored here: the section loads again
 * when it is shown, and reports its error then.
 */
export function preload(path: string): void {
  const [, folder = ''] = path.split('/');
  const [, section] = Object.entries(sections).find(([name]) => name === folder) ?? [];
  section?.load().catch(() => undefined);
}
