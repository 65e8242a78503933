import { describe, expect, it } from 'vitest';
import { readLimits } from '../../../src/vault/extract/read-document.ts';
import { passagesMaxOf, textUnitsMaxOf } from '../../../src/vault/extract/text-limit.ts';
import { amplifiers } from '../../support/amplifiers.ts';
import { xlsxFile } from '../../support/office-files.ts';
import { createFileReader } from '../../support/read-files.ts';

const files = await createFileReader();
const refusal = (code: string) => ({ name: 'ExtractError', code });

/** The passages and text of a document up to the end of reading, or up to its rejection. */
async function outcomeOf(content: Uint8Array) {
  const reading = await files.open(content);
  let passages = 0;
  let end = 0;
  try {
    for await (const batch of reading.batches) {
      passages += batch.length;
      end = batch.at(-1)?.end ?? end;
    }
  } catch (fault) {
    expect(fault).toMatchObject({
      name: 'ExtractError',
      code: expect.stringMatching(/^TOO_(LARGE_TEXT|MANY_PASSAGES)$/),
    });
  }
  return { passages, end };
}

describe('small files that expand to large texts', () => {
  it.each(amplifiers)(
    'A small file gives no more text and passages than its size allows: $name',
    async ({ create }) => {
      const content = create();
      const { passages, end } = await outcomeOf(content);
      expect(end).toBeLessThanOrEqual(textUnitsMaxOf(content.length, readLimits));
      expect(passages).toBeLessThanOrEqual(passagesMaxOf(content.length, readLimits));
    },
  );

  it('A small file with too much text is rejected with the code of the exceeded limit', async () => {
    const longText = xlsxFile(
      [{ name: 'S', rows: '<row><c t="s"><v>0</v></c></row>'.repeat(100) }],
      { strings: [`<t>${'word '.repeat(6_000)}</t>`] },
    );
    await expect(files.passages(longText)).rejects.toMatchObject(refusal('TOO_LARGE_TEXT'));
    await expect(
      files.passages('# A\n\ntext\n'.repeat(2_000), { textUnitsMax: 10_000 }),
    ).rejects.toMatchObject(refusal('TOO_LARGE_TEXT'));
    await expect(
      files.passages(`${'A sentence of some words. '.repeat(8)}\n\n## Next\n\n`.repeat(50), {
        passagesMax: 10,
      }),
    ).rejects.toMatchObject(refusal('TOO_MANY_PASSAGES'));
  });
});

describe('ordinary files with repetitions', () => {
  it('A CSV survey that repeats its questions in every row is read completely', async () => {
    const questions = Array.from(
      { length: 50 },
      (_, index) => `How satisfied are you with part ${index} of our service from one to five?`,
    );
    const survey = `${questions.join(',')}\n${`${Array(50).fill('5').join(',')}\n`.repeat(1_000)}`;
    const { totals } = await files.passages(survey);
    expect(totals.characters).toBeGreaterThan(50 * 1_000 * 60);
  });

  it('A workbook whose cells are all equal is read completely', async () => {
    const cells = (value: string) =>
      `<row>${Array.from({ length: 20 }, () => value).join('')}</row>`;
    const names = `<row>${Array.from({ length: 20 }, (_, index) => `<c t="s"><v>${index}</v></c>`).join('')}</row>`;
    const strings = Array.from({ length: 20 }, (_, index) => `<t>Amount of month ${index}</t>`);
    const { passages } = await files.passages(
      xlsxFile([{ name: 'Year', rows: names + cells('<c><v>0</v></c>').repeat(2_000) }], {
        strings,
      }),
    );
    expect(passages.at(-1)?.text).toMatch(/Amount of month 19: 0$/);
  });

  it('Each row repeats at most 100 characters of a column name, in every kind of file', async () => {
    const name = `${'n'.repeat(100)}${'x'.repeat(100)}`;
    const expectedRow = /^n{100}: one \| b: two$/m;
    const table = xlsxFile([
      {
        name: 'S',
        rows: `<row><c t="str"><v>${name}</v></c><c t="str"><v>b</v></c></row><row><c t="str"><v>one</v></c><c t="str"><v>two</v></c></row>`,
      },
    ]);
    const page = `<html><body><table><tr><th>${name}</th><th>b</th></tr><tr><td>one</td><td>two</td></tr></table></body></html>`;
    const markdown = `# T\n\n| ${name} | b |\n| --- | --- |\n| one | two |\n`;
    for (const content of [table, page, markdown])
      expect((await files.text(content)).text).toMatch(expectedRow);
  });
});

describe('lines made to slow down parsers', () => {
  const blanks = ' '.repeat(16_000);
  it.each([
    [
      'a heading of blanks',
      `# title\n\n# a${blanks}x\n\n# #${blanks}\u2028 x\n\n#${blanks}x\n\nend`,
    ],
    ['a row of dashes and blanks', `# title\n\n| a | b |\n|-${blanks}x\n\nend`],
    ['a JSON text of escaped quotes', JSON.stringify([['"'.repeat(3_000_000)], 'end'])],
    ['a JSON number without end', `[[1, "end"], [${'1'.repeat(15_000)}]]`],
    [
      'a format of brackets',
      xlsxFile([{ name: 'S', rows: '<row><c s="0"><v>1</v></c><c t="str"><v>end</v></c></row>' }], {
        styles: `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(2_000_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
      }),
    ],
  ])('A hostile line is read in time: %s', async (_, content) => {
    const { passages } = await files.passages(content, { busyMsMax: 20_000 });
    expect(passages.map(({ text }) => text).join('\n')).toContain('end');
  });
});
