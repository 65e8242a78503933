import { useEffect, useRef } from 'react';

/**
 * Lets the Back button close what is open above the page, instead of leaving the page. For layers
 * that fill the window of a phone, which people take for a page.
 */
export function useBackToClose(isOpen: boolean, onClose: () => void): void {
  const latestOnClose = useRef(onClose);
  useEffect(() => {
    latestOnClose.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const layer = crypto.randomUUID();
    history.pushState({ layer }, '');
    let isPopped = false;
    const onPop = () => {
      isPopped = true;
      latestOnClose.current();
    };
    addEventListener('popstate', onPop);
    return () => {
      removeEventListener('popstate', onPop);
      // Closed in another way: its entry in the history goes, unless the person has moved on.
      if (!isPopped && history.state?.layer === layer) history.back();
    };
  }, [isOpen]);
}
