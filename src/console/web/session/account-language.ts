import { useLayoutEffect, useRef, useState } from 'react';
import { type Language, language, showLanguage } from '../texts/language.ts';
import type { Language as AccountLanguage } from './documents.ts';

const pageLanguages: Readonly<Record<AccountLanguage, Language>> = { EN: 'en', DE: 'de' };
const accountLanguages: Readonly<Record<Language, AccountLanguage>> = { en: 'EN', de: 'DE' };

/** A language of the page, as the API names it. */
export const accountLanguageOf = (chosen: Language): AccountLanguage => accountLanguages[chosen];

/**
 * Reloads the page if the account has another language than this browser. Only the first language
 * that is loaded counts: a change in another browser must not end what a person is typing here.
 * Returns whether the page is about to be reloaded. `chosen` is undefined while nobody is signed in.
 */
export function useAccountLanguage(chosen: AccountLanguage | null | undefined): boolean {
  const isChecked = useRef(false);
  const [isChanging, setChanging] = useState(false);
  useLayoutEffect(() => {
    if (chosen === undefined || isChecked.current) return;
    isChecked.current = true;
    if (chosen === null || pageLanguages[chosen] === language()) return;
    setChanging(true);
    showLanguage(pageLanguages[chosen]);
  }, [chosen]);
  return isChanging;
}
