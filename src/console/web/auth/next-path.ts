/**
 * The path to open next when the address names a page of this console; otherwise the start page. A
 * path such as `/.//host` becomes `//host`, which browsers take for the address of another site.
 */
export function nextPath(path: string | null): string {
  if (path === null || !/^\/(?![/\\])/.test(path)) return '/';
  const { origin, pathname, search } = new URL(path, location.origin);
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search : '/';
}
