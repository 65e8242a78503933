const marks = new RegExp(
  [
    String.raw`[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a`,
    String.raw`\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]`,
  ].join(''),
  'g',
);

/**
 * A text in the form in which searches compare it: without accents, in lower case. It equals the SQL
 * function `fold_text`.
 */
export const foldText = (text: string): string =>
  text.normalize('NFD').replaceAll(marks, '').normalize('NFC').toLowerCase().replaceAll('ß', 'ss');

/** Whether a text contains what a person has typed, in any letter case and with or without accents. */
export const containsWords = (text: string, typed: string): boolean =>
  foldText(text).includes(foldText(typed.trim()));
