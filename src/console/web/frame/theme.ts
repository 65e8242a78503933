const storageName = 'atrium.theme';

export type Theme = 'light' | 'dark';

/** What somebody chose in this browser, or what the system has. */
export function wantedTheme(): Theme {
  const chosen = localStorage.getItem(storageName);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Before the first paint: the style sheets follow the system unless the page says otherwise. */
export function showWantedTheme(): void {
  if (localStorage.getItem(storageName) !== null)
    document.documentElement.dataset['theme'] = wantedTheme();
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(storageName, theme);
  showWantedTheme();
}
