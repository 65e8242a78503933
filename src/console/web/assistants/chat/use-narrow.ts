import { useSyncExternalStore } from 'react';

const query = '(width < 64rem)';

const watch = (changed: () => void) => {
  const media = matchMedia(query);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
};

/** Whether there is no room for something beside the page. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(watch, () => matchMedia(query).matches);
