import { useSyncExternalStore } from 'react';

const query = '(width < 64rem)';

const subscribe = (onChange: () => void) => {
  const media = matchMedia(query);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
};

/** Whether the window is too narrow for a panel beside the page. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(query).matches);
