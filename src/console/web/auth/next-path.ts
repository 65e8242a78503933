/**
 * The page to open next when the address names a page of this console; otherwise the start page.
 */
export function nextPath(path: string | null): string {
  if (path === null || !/^\/(?![/\\])/.test(path)) return '/';
  const url = new URL(path, location.origin);
  return url.origin === location.origin ? url.pathname + url.search : '/';
}
