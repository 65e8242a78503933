/**
 * The stem of a German word in lower case and without accents, so that forms of a word are equal.
 * Inflections are removed in the manner of CISTEM (Weißweiler and Fraser 2017); then the suffixes
 * of nouns and adjectives, so that "Kündigung" and "kündigen" are equal.
 */
export function stemGerman(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stem = word
    // "ae", "oe" and "ue" are other spellings of umlauts, but not in "neue", "Frauen" and "Quelle".
    .replaceAll(/([ao])e|(?<![aeq])(u)e/g, '$1$2')
    .replace(/^ge(?=.{4})/, '')
    .replaceAll('sch', '$')
    .replaceAll('ei', '%')
    .replaceAll('ie', '&')
    .replaceAll(/(.)\1/g, '$1*');
  while (stem.length > 3) {
    const shorter =
      stem.length > 5 && /(?:em|er|nd)$/.test(stem) ? stem.slice(0, -2) : removeLetter(stem);
    if (shorter === stem) break;
    stem = shorter;
  }
  const inflected = stem
    .replaceAll(/(.)\*/g, '$1$1')
    .replaceAll('&', 'ie')
    .replaceAll('%', 'ei')
    .replaceAll('$', 'sch');
  return inflected.replace(/(?<=.{4})(?:ung|keit|heit|lich|isch)$/, '');
}

const removeLetter = (stem: string): string => (/[tesn]$/.test(stem) ? stem.slice(0, -1) : stem);
