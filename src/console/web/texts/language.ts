/** The languages of the console, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languages;

const storageName = 'atrium.language';
const isLanguage = (value: string | null): value is Language =>
  value !== null && Object.hasOwn(languages, value);

let current: Language = 'en';

export const language = (): Language => current;

/** Before the first text: the language that the person chose in this browser, or else the browser's. */
export function startLanguage(): void {
  const chosen = localStorage.getItem(storageName);
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  current = isLanguage(chosen) ? chosen : (preferred.find(isLanguage) ?? 'en');
  document.documentElement.lang = current;
}

/** Loads the page again, so that no text of the other language remains. */
export function chooseLanguage(chosen: string): void {
  localStorage.setItem(storageName, chosen);
  location.reload();
}

/** For dates and numbers: the variant of the language that the browser prefers, such as en-GB. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === current) ?? current;
