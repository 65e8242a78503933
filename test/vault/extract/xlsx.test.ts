import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../src/vault/extract/xlsx.ts';
import { xlsxFile } from '../../support/office-files.ts';
import { outline, readBlocks } from '../../support/read-blocks.ts';

const styles =
  '<numFmts><numFmt numFmtId="170" formatCode="dd.mm.yyyy\\ hh:mm"/><numFmt numFmtId="171" formatCode="0.00E+00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>';

/** Rows of texts and numbers with the references of their cells. */
const sheetRows = (rows: readonly (readonly (string | number | undefined)[])[]) =>
  rows
    .map((cells, row) => {
      const list = cells.map((value, column) => {
        const reference = `${'ABCDEFG'[column]}${row + 1}`;
        if (value === undefined) return '';
        return typeof value === 'number'
          ? `<c r="${reference}"><v>${value}</v></c>`
          : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
      });
      return `<row>${list.join('')}</row>`;
    })
    .join('');

describe('readXlsx', () => {
  it('A workbook is read sheet by sheet, each row with the headers of its columns', async () => {
    const rows =
      '<row><c r="A1" t="inlineStr"><is><t>Prices</t></is></c></row><row><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="inlineStr"><is><t>Paid</t></is></c></row>' +
      '<row><c r="A3" t="str"><f>A1</f><v>Äpfel 😀</v></c><c r="C3" s="1"><v>45292</v></c><c r="D3" t="b"><v>1</v></c></row><row/><row><c r="C5"><v>0.30000000000000004</v></c></row>';
    const strings = ['<t>Name</t>', '<r><t>Wh</t></r><r><t>en</t></r><rPh><t>no</t></rPh>'];
    const blocks = await readBlocks(
      readXlsx,
      xlsxFile(
        [
          { name: 'Erste', rows },
          { name: 'Leer', rows: '' },
        ],
        { strings, styles },
      ),
    );
    expect(outline(blocks)).toEqual([
      '1# Erste',
      '1row Prices',
      '1row Name | When | Paid',
      '1row Name: Äpfel 😀 | When: 2024-01-01 | Paid: TRUE',
      '1row When: 0.3',
    ]);
  });

  it('A merged head gives each value its group and its column', async () => {
    const file = xlsxFile([
      {
        name: 'Plan',
        rows: sheetRows([
          ['Plan and result of 2026'],
          ['Region', 'First quarter', undefined, 'Second quarter'],
          [undefined, 'Plan', 'Result', 'Plan', 'Result'],
          ['North', 10, 11, 12, 13],
          ['South', undefined, 21, 22],
        ]),
        merged: ['A1:E1', 'A2:A3', 'B2:C2', 'D2:E2'],
      },
    ]);
    expect(outline(await readBlocks(readXlsx, file)).slice(1)).toEqual([
      '1row Plan and result of 2026',
      '1row Region | First quarter | Second quarter',
      '1row Plan | Result | Plan | Result',
      '1row Region: North | First quarter, Plan: 10 | First quarter, Result: 11 | Second quarter, Plan: 12 | Second quarter, Result: 13',
      '1row Region: South | First quarter, Result: 21 | Second quarter, Plan: 22',
    ]);
  });

  it('A group without names of its columns is the header of each, and a row of text below is no head', async () => {
    const file = xlsxFile([
      {
        name: 'People',
        rows: sheetRows([
          ['Name', 'Address'],
          ['Ada', 'Hafenstraße 1', 'Köln'],
          ['Emil', 'Am Markt 2', 'Bonn'],
        ]),
        merged: ['B1:C1'],
      },
    ]);
    expect(outline(await readBlocks(readXlsx, file)).slice(1)).toEqual([
      '1row Name | Address',
      '1row Name: Ada | Address: Hafenstraße 1 | Address: Köln',
      '1row Name: Emil | Address: Am Markt 2 | Address: Bonn',
    ]);
  });

  it('Numbers are formatted as dates, percentages or numbers as in Excel', async () => {
    const rows =
      '<row><c s="2"><v>0.25</v></c><c s="3"><v>45292.5</v></c><c s="4"><v>12000</v></c><c t="e"><v>#DIV/0!</v></c></row>';
    expect(
      outline(await readBlocks(readXlsx, xlsxFile([{ name: 'S', rows }], { styles }))),
    ).toContain('1row 25% | 2024-01-01 12:00:00 | 12000 | #DIV/0!');
    const old = xlsxFile([{ name: 'S', rows: '<row><c s="1"><v>0</v></c></row>' }], {
      styles,
      date1904: true,
    });
    expect(outline(await readBlocks(readXlsx, old))).toContain('1row 1904-01-01');
  });

  it('Text boxes follow the rows of their sheet', async () => {
    const rows = '<row><c t="inlineStr"><is><t>Price</t></is></c></row>';
    const workbook = xlsxFile([
      { name: 'S', rows, boxes: ['Prices without tax', 'Valid until May'] },
      { name: 'Only a box', rows: '', boxes: ['Draft'] },
    ]);
    expect(outline(await readBlocks(readXlsx, workbook))).toEqual([
      '1# S',
      '1row Price',
      '1 Prices without tax',
      '1 Valid until May',
      '2# Only a box',
      '2 Draft',
    ]);
  });

  it('Amounts of money keep their currency, and comments follow the rows of their sheet', async () => {
    const formats = [
      '#,##0.00\\ &quot;€&quot;',
      '[$CHF-807] 0',
      '0 &quot;kg&quot;',
      '$#,##0.00;[Red]-$#,##0.00',
    ];
    const money = `<numFmts>${formats.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs>${formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}</cellXfs>`;
    const rows =
      '<row><c s="0"><v>28.5</v></c><c s="1"><v>99</v></c><c s="2"><v>12</v></c><c s="3"><v>3</v></c></row>';
    const workbook = xlsxFile([{ name: 'S', rows, comments: { B1: 'agreed by phone' } }], {
      styles: money,
    });
    expect(outline(await readBlocks(readXlsx, workbook))).toEqual([
      '1# S',
      '1row 28.50 € | 99 CHF | 12 | 3.00 $',
      '1 S, B1: agreed by phone',
    ]);
  });

  it('A workbook of empty sheets is EMPTY', async () => {
    await expect(
      readBlocks(readXlsx, xlsxFile([{ name: 'S', rows: '<row/>' }])),
    ).rejects.toMatchObject({ code: 'EMPTY' });
  });

  it('A workbook that contains only text loses none of it, with or without a header row', async () => {
    const row = (cells: string[]) =>
      `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
    const rows = [
      ['Ann', 'Köln'],
      ['Bea', 'Bonn'],
      ['Cem', 'Trier', 'Süd'],
    ]
      .map(row)
      .join('');
    expect(outline(await readBlocks(readXlsx, xlsxFile([{ name: 'S', rows }])))).toEqual([
      '1# S',
      '1row Ann | Köln',
      '1row Ann: Bea | Köln: Bonn',
      '1row Ann: Cem | Köln: Trier | Süd',
    ]);
  });
});
