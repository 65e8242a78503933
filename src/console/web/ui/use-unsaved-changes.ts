import { useEffect } from 'react';
import { t } from '../texts/text.ts';

/** Asks before the page is left while a form has changes that are not saved. */
export function useUnsavedChanges(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Every way to another page of the console, Back and Forward included. Browsers without the
    // Navigation API ask only when the whole page is left.
    const onNavigate = (event: Event) => {
      const { url }: { url: string } = Object(event).destination;
      const isSamePage = new URL(url).pathname === location.pathname;
      if (event.cancelable && !isSamePage && !confirm(t('ui.unsavedChanges')))
        event.preventDefault();
    };
    const navigation: EventTarget | undefined = Object(globalThis).navigation;
    addEventListener('beforeunload', onUnload);
    navigation?.addEventListener('navigate', onNavigate);
    return () => {
      removeEventListener('beforeunload', onUnload);
      navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [hasChanges]);
}
