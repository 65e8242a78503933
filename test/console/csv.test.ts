import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLines } from '../../src/console/web/ui/csv.ts';

it('A CSV parser reads every text that is not a formula back unchanged', () => {
  const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]|[;\t\r\n][\s"]*[=+\-@＝＋－＠]/;
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !formula.test(value));
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
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', ' =1', '＝1', '\u00a0@A1'])
    expect(parse(csvLines([[formula]]), { recordDelimiter: '\r\n' })).toEqual([[`'${formula}`]]);
});

it('A spreadsheet that splits cells at semicolons finds no formula either', () => {
  const texts = [
    'a;=1',
    'a; "=1',
    'a";"=1',
    'a\t=1',
    'a\n@A1',
    'a\r\n\n-1',
    'a,b;+1',
    ';;=1',
    ';＝1',
  ];
  for (const text of texts) {
    const cells = csvLines([['id', text]]).split(/[;\t\r\n]/);
    for (const cell of cells) expect(cell.replace(/^[\s"]+/, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
  }
});

it('Numbers, missing values and objects have their usual form', () => {
  expect(csvLines([[-1.5, null, true, { to: 'a' }], []])).toBe(
    '-1.5,,true,"{""to"":""a""}"\r\n\r\n',
  );
});
