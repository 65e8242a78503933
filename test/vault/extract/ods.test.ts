import { describe, expect, it } from 'vitest';
import { readOds } from '../../../src/vault/extract/ods.ts';
import { openDocumentFile } from '../../support/office-files.ts';
import { joined, readBlocks } from '../../support/read-blocks.ts';

const cell = (text: string, attributes = 'office:value-type="string"') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const sheet = (name: string, rows: string, style = 'shown') =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;
const styles =
  '<style:style style:name="shown" style:family="table"><style:table-properties table:display="true"/></style:style>' +
  '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>';
const spreadsheet = (...sheets: string[]) =>
  openDocumentFile({ kind: 'spreadsheet', styles, body: sheets.join('') });
const number = 'office:value-type="float" office:value="28.5"';
const textOf = async (file: Uint8Array) => joined(await readBlocks(readOds, file));

describe('readOds', () => {
  it('Each sheet is a page with its name, and each row has the header of its columns', async () => {
    const blocks = await readBlocks(
      readOds,
      spreadsheet(
        sheet(
          'Allowances',
          row(cell('Country'), cell('Per day')) +
            row(cell('Germany'), cell('28,50 €', number)) +
            row('<table:table-cell table:number-columns-repeated="1024"/>') +
            row(cell('Austria'), cell('26,40 €', number)),
        ),
        sheet('Empty', row('<table:table-cell/>')),
        sheet('Notes', row(cell('Valid from May.'))),
      ),
    );
    expect(joined(blocks)).toBe(
      'Allowances\n\nCountry | Per day\nCountry: Germany | Per day: 28,50 €\nCountry: Austria | Per day: 26,40 €\n\nNotes\n\nValid from May.',
    );
    expect(blocks.map(({ kind, page }) => [kind, page])).toEqual([
      ...[
        ['heading', 1],
        ['row', 1],
        ['row', 1],
        ['row', 1],
      ],
      ...[
        ['heading', 3],
        ['row', 3],
      ],
    ]);
  });

  it('Empty, merged and repeated cells keep the columns of the others', async () => {
    const file = spreadsheet(
      sheet(
        'Months',
        row(cell('Name'), cell('Jan'), cell('Feb'), cell('Mar')) +
          row(cell('Ada'), '<table:table-cell table:number-columns-repeated="2"/>', cell('3')) +
          row(cell('Emil'), cell('7', `${number} table:number-columns-repeated="3"`)) +
          row(
            cell('Grace', 'office:value-type="string" table:number-columns-spanned="2"'),
            '<table:covered-table-cell><text:p>hidden below</text:p></table:covered-table-cell>',
            cell('2'),
          ),
      ),
    );
    expect(await textOf(file)).toBe(
      'Months\n\nName | Jan | Feb | Mar\nName: Ada | Mar: 3\nName: Emil | Jan: 7 | Feb: 7 | Mar: 7\nName: Grace | Feb: 2',
    );
  });

  it('A merged head gives each value its group and its column', async () => {
    const text = 'office:value-type="string"';
    const covered = '<table:covered-table-cell/>';
    const file = spreadsheet(
      sheet(
        'Plan',
        row(
          cell('Region', `${text} table:number-rows-spanned="2"`),
          cell('First quarter', `${text} table:number-columns-spanned="2"`),
          covered,
        ) +
          row(covered, cell('Plan'), cell('Result')) +
          row(cell('North'), cell('10', number), cell('11', number)),
      ),
    );
    expect(await textOf(file)).toBe(
      'Plan\n\nRegion | First quarter\nPlan | Result\nRegion: North | First quarter, Plan: 10 | First quarter, Result: 11',
    );
  });

  it('Comments follow their sheet with the name of their cell, and a value without its text is read', async () => {
    const commented = `<table:table-cell office:value-type="string"><office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-05-01</dc:date><text:p>agreed by</text:p><text:p>phone</text:p></office:annotation><text:p>open</text:p></table:table-cell>`;
    const file = spreadsheet(
      sheet(
        'Offers',
        row(cell('Offer'), cell('State')) +
          row('<table:table-cell office:value-type="float" office:value="1200"/>', commented),
      ),
    );
    expect(await textOf(file)).toBe(
      'Offers\n\nOffer | State\nOffer: 1200 | State: open\n\nOffers, B2: agreed by phone',
    );
  });

  it('Lines and spaces of a cell are one line, and shapes and phonetic letters are no text of cells', async () => {
    const file = spreadsheet(
      sheet(
        'Text',
        '<table:shapes><draw:frame><draw:text-box><text:p>a shape</text:p></draw:text-box></draw:frame></table:shapes>' +
          row(
            '<table:table-cell office:value-type="string"><text:p>two<text:s/>words</text:p><text:p>and a line</text:p></table:table-cell>',
            cell(
              '<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>',
            ),
          ),
      ),
    );
    expect(await textOf(file)).toBe('Text\n\ntwo words and a line | 漢字');
  });

  it('Hidden sheets are left out and counted, and a password or no text is refused', async () => {
    const notices = new Map();
    const file = spreadsheet(
      sheet('Internal', row(cell('margin')), 'hidden'),
      sheet('Prices', row(cell('price'))),
    );
    expect(joined(await readBlocks(readOds, file, { notices }))).toBe('Prices\n\nprice');
    expect([...notices]).toEqual([['SHEETS_HIDDEN', 1]]);
    await expect(readBlocks(readOds, spreadsheet(sheet('Empty', '')))).rejects.toMatchObject({
      code: 'EMPTY',
    });
    const locked = openDocumentFile({
      ...{ kind: 'spreadsheet', body: sheet('A', row(cell('x'))) },
      manifest: '<manifest:encryption-data/>',
    });
    await expect(readBlocks(readOds, locked)).rejects.toMatchObject({ code: 'ENCRYPTED' });
  });

  it('A value that is repeated a million times is bounded', async () => {
    const file = spreadsheet(
      sheet(
        'Filled',
        row(cell('x', 'office:value-type="string" table:number-columns-repeated="1000000"')),
      ),
    );
    expect((await textOf(file)).split('x')).toHaveLength(65);
    const long = spreadsheet(
      sheet(
        'Long',
        row(
          cell('x'.repeat(40_000), 'office:value-type="string" table:number-columns-repeated="64"'),
        ),
      ),
    );
    await expect(readBlocks(readOds, long, { textUnitsMax: 1_000_000 })).rejects.toMatchObject({
      code: 'TOO_LARGE_TEXT',
    });
  });
});
