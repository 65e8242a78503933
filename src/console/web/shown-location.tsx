import { createContext, type ReactNode, useContext, useDeferredValue, useRef } from 'react';
import { Router } from 'wouter';
import { navigate, useBrowserLocation, useSearch } from 'wouter/use-browser-location';

const ShownPath = createContext('');
const ShownSearch = createContext('');

/**
 * The location that the content shows. After a click on a link it follows as soon as the next page
 * is rendered, which takes a while on a phone: until then the old page stays and reacts, and the
 * navigation already marks the new one. The search parameters of a page change at once, because its
 * fields show them while somebody types.
 */
export function ShownLocation({ children }: { children: ReactNode }) {
  const [path] = useBrowserLocation();
  const shownPath = useDeferredValue(path);
  const search = useSearch();
  const shownSearch = useRef(search);
  if (path === shownPath) shownSearch.current = search;
  return (
    <ShownPath value={shownPath}>
      <ShownSearch value={shownSearch.current}>
        <Router hook={useShownPath} searchHook={useShownSearch}>
          {children}
        </Router>
      </ShownSearch>
    </ShownPath>
  );
}

const useShownPath = (): ReturnType<typeof useBrowserLocation> => [useContext(ShownPath), navigate];

const useShownSearch = () => useContext(ShownSearch);
