/** Lower case, without accents, and with "ss" for "ß", so that "grosse" finds "Größe". */
export const foldWords = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');

/** The words of a query, as the index splits them. */
export const queryWords = (text: string): string[] => [
  ...new Set(foldWords(text).match(/[\p{L}\p{N}\p{Co}]+/gu)),
];
