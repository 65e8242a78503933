import type { Language } from './database/generated/client.ts';

/** The variant of each language by which dates and numbers are formatted. */
const locales: Readonly<Record<Language, string>> = { EN: 'en-GB', DE: 'de-DE' };

const languagesByTag: Readonly<Record<string, Language>> = { en: 'EN', de: 'DE' };

export const localeOf = (language: Language): string => locales[language];

/** The tag of a language in HTML: `de` for DE. */
export const languageTag = (language: Language): string => language.toLowerCase();

/** More entries than any browser sends; the rest of a header is not read. */
const rangesMax = 20;

/**
 * The language that a client prefers among those that people can choose, by the header
 * Accept-Language (RFC 9110, 12.5.4). Null if it names none of them.
 */
export function preferredLanguage(header: string | null | undefined): Language | null {
  let best: { language: Language; weight: number } | undefined;
  for (const range of (header ?? '').split(',', rangesMax)) {
    const [tag = '', ...parameters] = range.split(';');
    const language = languagesByTag[tag.trim().toLowerCase().split('-')[0] ?? ''];
    const weight = weightOf(parameters);
    // Of equal weights the first one counts.
    if (language && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? null;
}

function weightOf(parameters: readonly string[]): number {
  const [, weight] = /^\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*$/i.exec(parameters.join(';')) ?? [];
  return weight === undefined ? 1 : Number(weight);
}
