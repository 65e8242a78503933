import { describe, expect, it } from 'vitest';
import type { NoticeCounts } from '../../../src/vault/extract/block.ts';
import { readEml } from '../../../src/vault/extract/eml.ts';
import { readPdf } from '../../../src/vault/extract/pdf.ts';
import { readXlsx } from '../../../src/vault/extract/xlsx.ts';
import { xlsxFile } from '../../support/office-files.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { joined, outline, readBlocks } from '../../support/read-blocks.ts';

const cell = (text: string) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`;

describe('Notices', () => {
  it('Pages of a PDF without text, such as scanned ones, are counted', async () => {
    const notices: NoticeCounts = new Map();
    await readBlocks(readPdf, pdfFile([['First page'], [], ['Third page'], []]), { notices });
    expect([...notices]).toEqual([['PAGES_WITHOUT_TEXT', 2]]);
  });

  it('Hidden sheets of a workbook are counted and not read', async () => {
    const notices: NoticeCounts = new Map();
    const workbook = xlsxFile([
      { name: 'Secret', rows: cell('salaries'), state: 'veryHidden' },
      { name: 'Open', rows: cell('prices') },
      { name: 'Notes', rows: cell('drafts'), state: 'hidden' },
    ]);
    expect(outline(await readBlocks(readXlsx, workbook, { notices }))).toEqual([
      '1# Open',
      '1row prices',
    ]);
    expect([...notices]).toEqual([['SHEETS_HIDDEN', 2]]);
  });

  it('Formulas whose result no program has stored are counted, and an empty result is a result', async () => {
    const notices: NoticeCounts = new Map();
    const rows =
      '<row><c r="A1"><v>2</v></c><c r="B1"><f>A1*2</f><v>4</v></c><c r="C1"><f>A1*3</f></c><c r="D1"><f>A1*4</f><v/></c><c r="E1" t="str"><f>IF(A1&gt;1,"","x")</f><v></v></c></row>';
    const workbook = xlsxFile([{ name: 'Sums', rows }]);
    expect(outline(await readBlocks(readXlsx, workbook, { notices }))).toEqual([
      '1# Sums',
      '1row 2 | 4',
    ]);
    expect([...notices]).toEqual([['FORMULAS_WITHOUT_RESULT', 2]]);
  });

  it('Attachments of a mail that cannot be read are counted', async () => {
    const notices: NoticeCounts = new Map();
    const mail = [
      'From: a@example.com',
      'Subject: Plan',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See below.',
      '--b',
      'Content-Type: image/png; name=plan.png',
      'Content-Disposition: attachment; filename=plan.png',
      '',
      'binary',
      '--b--',
    ].join('\r\n');
    await readBlocks((source, context) => readEml(source, context, null), Buffer.from(mail), {
      notices,
    });
    expect([...notices]).toEqual([['ATTACHMENTS_NOT_READ', 1]]);
  });

  it('A mail keeps its copy recipients and the time of its sender with the offset', async () => {
    const mail =
      'From: a@example.com\r\nTo: b@example.com\r\nCc: "Cora" <c@example.com>, d@example.com\r\nDate: Mon, 2 Mar 2026 10:00:00 +0530\r\n\r\nHello.';
    const blocks = await readBlocks(
      (source, context) => readEml(source, context, null),
      Buffer.from(mail),
    );
    expect(joined(blocks).trim()).toBe(
      'From: a@example.com\nTo: b@example.com\nCc: Cora <c@example.com>, d@example.com\nDate: 2026-03-02T10:00:00+05:30\n\nHello.',
    );
  });
});
