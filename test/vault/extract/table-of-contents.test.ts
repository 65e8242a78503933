import { describe, expect, it } from 'vitest';
import { docxOf } from '../../support/office-files.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { createFileReader } from '../../support/read-files.ts';

const files = await createFileReader();
const textOf = async (content: string | Uint8Array) => (await files.text(content)).text;

const entries = [
  '1 Introduction ................ 3',
  '1.1 Who may return a device . . . . . . 4',
  '2 Deadlines and how they are',
  'counted .................... 12',
  '3 Costs ..................... 12',
  'Appendix ................. xii',
];

describe('Tables of contents', () => {
  it('A table of contents after its heading is left out of a PDF and of a text', async () => {
    const expected = ['Contents', 'Devices are returned within fourteen days.'];
    const pdf = pdfFile([['Contents', ...entries], ['Devices are returned within fourteen days.']]);
    expect((await textOf(pdf)).split('\n\n')).toEqual(expected);
    expect(await textOf(['Contents', entries.join('\n'), expected[1]].join('\n\n'))).toBe(
      expected.join('\n\n'),
    );
  });

  it('A table of contents that goes on on the next page is left out', async () => {
    const pdf = pdfFile([
      ['Inhalt', 'Vorwort ........ 3', 'Anfang ........ 5'],
      ['Mitte ........ 9', 'Ende ........ 20'],
      ['Geräte werden geprüft.'],
    ]);
    expect(await textOf(pdf)).toBe('Inhalt\n\nGeräte werden geprüft.');
  });

  it('Numbered entries without a heading are left out', async () => {
    const list = [1, 2, 3, 4, 5].map((number) => `${number}. Part of it ........ ${number * 4}`);
    expect(await textOf(`Handbook\n\n${list.join('\n')}\n\nThe text.`)).toBe(
      'Handbook\n\nThe text.',
    );
  });

  it('A list of prices with leaders stays', async () => {
    const prices = [
      'Tea .............. 2',
      'Coffee ........... 3',
      'Hot chocolate .... 4',
      'Cake ............. 5',
      'Soup ............. 7',
      'Fish ............. 12',
    ].join('\n');
    const cents = prices.replaceAll(/(\d+)$/gm, '$1,50');
    for (const list of [prices, cents])
      expect(await textOf(`Menu\n\n${list}`)).toBe(`Menu\n\n${list}`);
    const unsorted = [1, 2, 3, 4, 5].map(
      (n) => `${n}. Room ........ ${[80, 65, 90, 70, 60][n - 1]}`,
    );
    expect(await textOf(unsorted.join('\n'))).toBe(unsorted.join('\n'));
  });

  it('The entries of the table of contents of Word are left out', async () => {
    const styles =
      '<w:styles xmlns:w="w"><w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>';
    const entry = (text: string) =>
      `<w:p><w:pPr><w:pStyle w:val="Verzeichnis1"/></w:pPr><w:r><w:t>${text}</w:t><w:tab/><w:t>3</w:t></w:r></w:p>`;
    const file = docxOf(
      `${entry('Einleitung')}${entry('Fristen')}<w:p><w:r><w:t>Geräte werden geprüft.</w:t></w:r></w:p>`,
      { s: ['styles', 'styles.xml'] },
      { 'word/styles.xml': styles },
    );
    expect(await textOf(file)).toBe('Geräte werden geprüft.');
  });
});
