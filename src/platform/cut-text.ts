const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The beginning of a text, of at most this many code points. What people see as one character, such
 * as a family emoji or a letter with its accents, stays whole or is left out.
 */
export function cutText(text: string, codePointsMax: number): string {
  let [count, end] = [0, 0];
  for (const { segment, index } of graphemes.segment(text)) {
    count += [...segment].length;
    if (count > codePointsMax) return text.slice(0, end);
    end = index + segment.length;
  }
  return text;
}
