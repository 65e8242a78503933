import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateTime } from '../../../src/graph/schema/date-time.ts';
import { integer, text as textRule } from '../../../src/graph/schema/input-rules.ts';
import { SafeInt } from '../../../src/graph/schema/scalars.ts';

describe('parseDateTime', () => {
  it.each([
    '2026-01-31T00:00:00Z',
    '2024-02-29T23:59:59.999Z',
    '2026-06-01T12:00:00+02:00',
    '2026-06-01t12:00:00z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('the date-time "%s" is accepted', (text) => {
    expect(parseDateTime(text)?.getTime()).toBe(Date.parse(text.toUpperCase()));
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '2026-01-01T00:00:00+25:00',
    '1767225600',
    '',
    'now',
  ])('the date-time "%s" is rejected', (text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });

  it('a date-time that is not a string is rejected', () => {
    for (const value of [0, 1767225600000, null, undefined, {}, [], true, new Date()])
      expect(parseDateTime(value)).toBeUndefined();
  });

  it('every instant of the years 1 to 9999 in the format of JavaScript is accepted', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00.000Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => parseDateTime(date.toISOString())?.getTime() === date.getTime(),
      ),
    );
  });
});

describe('the rule of a text', () => {
  const Name = textRule({ min: 1, max: 5 });

  it('the length of a text counts code points after trimming', () => {
    expect(Name.parse('  😀😀😀😀😀  ')).toBe('😀😀😀😀😀');
    expect(() => Name.parse('😀😀😀😀😀😀')).toThrow('must be a string of 1 to 5 characters');
    expect(() => Name.parse('   ')).toThrow();
  });

  it('the error for a text never repeats the text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, unit: 'grapheme' }), (text) => {
        try {
          Name.parse(text);
        } catch (error) {
          expect(Object(error).message).toMatch(
            /^must (be a string of 1 to 5 characters, but (has \d+|is empty)|not contain .+|contain a visible character)$/,
          );
        }
      }),
    );
  });
});

describe('an integer that JavaScript does not hold exactly', () => {
  it('is refused with the greatest one that is accepted', () => {
    const page = integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    expect(() => page.parse(2 ** 53)).toThrow('must be an integer from 1 to 9007199254740991');
    expect(() => page.parse(0)).toThrow('must be an integer of at least 1');
    expect(() => SafeInt.parseValue(2 ** 53)).toThrow(
      'must be an integer from -9007199254740991 to 9007199254740991',
    );
  });
});
