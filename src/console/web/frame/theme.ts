import { useSyncExternalStore } from 'react';

const storageName = 'atrium.theme';

export type ColorTheme = 'light' | 'dark';

/** The theme that the person chose in this browser, or else the theme of the operating system. */
export function currentTheme(): ColorTheme {
  const chosen = localStorage.getItem(storageName);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * Runs before the first paint. The style sheets follow the operating system unless the root element
 * has a theme attribute.
 */
export function applyTheme(): void {
  if (localStorage.getItem(storageName) !== null)
    document.documentElement.dataset['theme'] = currentTheme();
}

export function chooseTheme(theme: ColorTheme): void {
  localStorage.setItem(storageName, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** The theme of the page. The component is rendered again when the person chooses another one. */
export const useTheme = (): ColorTheme => useSyncExternalStore(onThemeChange, currentTheme);

function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
