import { type ComponentType, useEffect, useState } from 'react';
import { Button } from './ui/button.tsx';
import { Loading } from './ui/status.tsx';

type LazySection = { Page: ComponentType; load: () => Promise<ComponentType> };

/**
 * A section whose code is loaded when it is first shown, or earlier by `preload`. Code that is
 * already loaded is rendered at once. Code that cannot be loaded is requested again when the
 * connection is back or the person asks for it; `lazy` of React would keep the failure.
 */
function lazySection<Name extends string>(
  name: Name,
  importModule: () => Promise<Record<Name, ComponentType>>,
): LazySection {
  let loaded: ComponentType | undefined;
  const load = async () => {
    loaded ??= (await importModule())[name];
    return loaded;
  };
  const Page = () => {
    const [PageComponent, setPageComponent] = useState<ComponentType | undefined>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (PageComponent || hasFailed) return undefined;
      let isCurrent = true;
      load().then(
        (component) => isCurrent && setPageComponent(() => component),
        async () => {
          await reloadForNewRelease();
          if (isCurrent) setFailed(true);
        },
      );
      return () => {
        isCurrent = false;
      };
    }, [PageComponent, hasFailed]);
    if (PageComponent) return <PageComponent />;
    return hasFailed ? <SectionFailed onRetry={() => setFailed(false)} /> : <Loading lines={6} />;
  };
  return { Page, load };
}

function SectionFailed({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    addEventListener('online', onRetry);
    return () => removeEventListener('online', onRetry);
  }, [onRetry]);
  return (
    <div className="alone" role="alert">
      <h1>This page could not be loaded</h1>
      <p>Atrium cannot be reached. Check your connection and try again.</p>
      <Button kind="primary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/**
 * After an update of Atrium the files of the old release are gone. The page of the new release names
 * its own files.
 */
async function reloadForNewRelease(): Promise<void> {
  const ownScript = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const response = await fetch('/', { cache: 'no-cache' }).catch(() => undefined);
  if (!response?.ok || !ownScript) return;
  if (!(await response.text()).includes(ownScript)) location.reload();
}

/** The sections by the first segment of their path. */
export const sections = {
  auth: lazySection('Auth', () => import('./auth/auth.tsx')),
  '': lazySection('Home', () => import('./home/home.tsx')),
  assistants: lazySection('Assistants', () => import('./assistants/assistants.tsx')),
  conversations: lazySection(
    'Conversations',
    () => import('./assistants/shared/shared-conversation.tsx'),
  ),
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
