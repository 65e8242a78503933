import type { FencedPassage } from '../fence.ts';
import type { Language } from '../words.ts';

const nothingFound: Record<Language, string> = {
  de: 'Dazu steht nichts in der Wissensbasis dieses Assistenten.',
  en: 'The knowledge base of this assistant holds nothing on that.',
};
const nearest: Record<Language, string> = {
  de: 'Am nächsten kommen:',
  en: 'The nearest passages are:',
};
const pageName: Record<Language, string> = { de: 'Seite', en: 'page' };
const nearestMax = 3;
const nameCharactersMax = 120;

/**
 * Says that nothing was found, and which passages come nearest, so that the person learns what the
 * files are about. These are not sources of an answer, so they have no numbers.
 */
export function nothingFoundAnswer(language: Language, passages: readonly FencedPassage[]): string {
  const places = new Set(passages.flatMap((passage) => placeOf(passage, language)));
  const named = [...places].slice(0, nearestMax);
  if (named.length === 0) return nothingFound[language];
  return `${nothingFound[language]} ${nearest[language]} ${named.join('; ')}.`;
}

function placeOf({ file, page, under = [] }: FencedPassage, language: Language): string[] {
  if (file === undefined || file === '') return [];
  const details = [
    ...(page === undefined ? [] : [`${pageName[language]} ${page}`]),
    ...under.slice(-1).map((heading) => plainText(heading)),
  ];
  return [`${plainText(file)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`];
}

/** Brackets would look like the number of a source. */
const plainText = (text: string) =>
  text
    .replaceAll(/[[\]\s]+/g, ' ')
    .trim()
    .slice(0, nameCharactersMax);
