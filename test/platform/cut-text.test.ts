import { describe, expect, it } from 'vitest';
import { cutText } from '../../src/platform/cut-text.ts';

const family = '👩‍👩‍👧‍👦';
const flag = '🇩🇪';

describe('cutText', () => {
  it.each([
    ['a short text as it is', 'Ada', 3, 'Ada'],
    ['code points, not code units', '𝒜𝒷𝒸', 2, '𝒜𝒷'],
    ['no part of a joined emoji', `ab${family}`, 4, 'ab'],
    ['a joined emoji that fits as a whole', `${family}b`, 7, family],
    ['no half of a flag', `a${flag}${flag}`, 4, `a${flag}`],
    ['no letter without its accent', 'cafe\u0301s', 4, 'caf'],
    ['nothing of a text that begins with something too long', family, 3, ''],
  ])('keeps %s', (_, text, codePointsMax, expected) => {
    expect(cutText(text, codePointsMax)).toBe(expected);
  });
});
