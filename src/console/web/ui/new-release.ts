/**
 * Whether Atrium was updated since the page was loaded: the files of the old release are gone then,
 * and the page of the new release names its own files.
 */
export async function isNewRelease(): Promise<boolean> {
  const ownScript = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const response = await fetch('/', { cache: 'no-cache' }).catch(() => undefined);
  return Boolean(response?.ok && ownScript && !(await response.text()).includes(ownScript));
}
