/** The languages of the console, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languages;

const storageName = 'atrium.language';
export const isLanguage = (value: string | null): value is Language =>
  value !== null && Object.hasOwn(languages, value);

let current: Language = 'en';

export const language = (): Language => current;

/**
 * Before the first text: the language in which this browser showed the console last because a person
 * or their account chose it, or else the browser's.
 */
export function startLanguage(): void {
  const chosen = localStorage.getItem(storageName);
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  current = isLanguage(chosen) ? chosen : (preferred.find(isLanguage) ?? 'en');
  document.documentElement.lang = current;
  document.documentElement.dir = 'ltr';
}

/** Loads the page again, so that no text of the other language remains. */
export function showLanguage(chosen: Language): void {
  localStorage.setItem(storageName, chosen);
  location.reload();
}

/** For dates and numbers: the variant of the language that the browser prefers, such as en-GB. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === current) ?? current;
