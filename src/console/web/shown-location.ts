import { useDeferredValue, useRef } from 'react';
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location';

/**
 * The location that the content shows. After a click on a link it follows as soon as the next page
 * is rendered, which takes a while on a phone: until then the old page stays and reacts, and the
 * navigation already marks the new one.
 */
export function useShownLocation(): ReturnType<typeof useBrowserLocation> {
  const [path, navigate] = useBrowserLocation();
  return [useDeferredValue(path), navigate];
}

/** The search parameters of the page that is shown. Its own changes are shown at once. */
export function useShownSearch(): string {
  const [path] = useBrowserLocation();
  const shownPath = useDeferredValue(path);
  const search = useSearch();
  const shownSearch = useRef(search);
  if (path === shownPath) shownSearch.current = search;
  return shownSearch.current;
}
