import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLines } from '../../src/console/web/ui/csv.ts';

it('A CSV parser reads every text that is not a formula back unchanged', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/^[=+\-@\t\r]/.test(value));
  fc.assert(
    fc.property(
      fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
      (rows) => {
        expect(parse(csvLines(rows), { recordDelimiter: '\r\n' })).toEqual(rows);
      },
    ),
  );
});

it('A text that a spreadsheet would run as a formula starts with an apostrophe', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=1\n=2'])
    expect(parse(csvLines([[formula]]), { recordDelimiter: '\r\n' })).toEqual([[`'${formula}`]]);
});

it('Numbers, missing values and objects have their usual form', () => {
  expect(csvLines([[-1.5, null, true, { to: 'a' }], []])).toBe(
    '-1.5,,true,"{""to"":""a""}"\r\n\r\n',
  );
});
