import { type ComponentType, useEffect, useState } from 'react';
import { loadTexts, type TextGroup } from './texts/messages.ts';
import { t } from './texts/text.ts';
import { Button } from './ui/button.tsx';
import { isNewRelease } from './ui/new-release.ts';
import { Loading } from './ui/status.tsx';

type LazySection = { Page: ComponentType; load: () => Promise<ComponentType> };

/**
 * A section whose code and texts are loaded when it is first shown, or earlier by `preload`. What is
 * already loaded is rendered at once. What cannot be loaded is requested again when the connection
 * is back or the person asks for it; `lazy` of React would keep the failure.
 */
function lazySection<Name extends string>(
  name: Name,
  importModule: () => Promise<Record<Name, ComponentType>>,
  texts: TextGroup,
): LazySection {
  let loaded: ComponentType | undefined;
  const load = async () => {
    const [module] = await Promise.all([importModule(), loadTexts(texts)]);
    loaded = module[name];
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
          // The page of the new release names its own files.
          if (await isNewRelease()) location.reload();
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
      <h1>{t('ui.pageNotLoaded')}</h1>
      <p>{t('ui.unreachable')}</p>
      <Button kind="primary" onClick={onRetry}>
        {t('ui.tryAgain')}
      </Button>
    </div>
  );
}

/** The sections by the first segment of their path. */
export const sections = {
  auth: lazySection('Auth', () => import('./auth/auth.tsx'), 'auth'),
  '': lazySection('Home', () => import('./home/home.tsx'), 'home'),
  assistants: lazySection('Assistants', () => import('./assistants/assistants.tsx'), 'assistants'),
  conversations: lazySection(
    'Conversations',
    () => import('./assistants/shared/shared-conversation.tsx'),
    'assistants',
  ),
  sponsorship: lazySection(
    'Sponsorship',
    () => import('./sponsorship/sponsorship.tsx'),
    'sponsorship',
  ),
  vault: lazySection('Vault', () => import('./vault/vault.tsx'), 'vault'),
  developers: lazySection('Developers', () => import('./developers/developers.tsx'), 'developers'),
  notifications: lazySection(
    'NotificationsPage',
    () => import('./frame/notifications/notifications-page.tsx'),
    'notifications',
  ),
  settings: lazySection('Settings', () => import('./settings/settings.tsx'), 'settings'),
};

/**
 * Starts to load the code of a path's section. A failure is ignored here: the section loads again
 * when it is shown, and reports its error then.
 */
export async function preload(path: string): Promise<void> {
  const [, folder = ''] = path.split('/');
  const [, section] = Object.entries(sections).find(([name]) => name === folder) ?? [];
  await section?.load().catch(() => undefined);
}

/**
 * Loads the sections of these paths one after the other while the page has nothing else to do, so
 * that a click on one of them shows it at once. Not where people asked their browser to save data.
 */
export function preloadWhenIdle(paths: readonly string[]): void {
  const [path, ...others] = paths;
  const { connection } = Object(navigator);
  if (path === undefined || connection?.saveData || !('requestIdleCallback' in globalThis)) return;
  requestIdleCallback(() => void preload(path).then(() => preloadWhenIdle(others)));
}
