import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/vault/extract/pdf.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { outline, readBlocks } from '../../support/read-blocks.ts';

describe('a PDF', () => {
  it('comes page by page, lines joined to paragraphs, in every script', async () => {
    const pages = [
      [
        { text: 'A Title', size: 22 },
        { text: 'Größe 漢字 😀 שלום and more words here', gap: true },
        'go on',
      ],
      [],
      ['Last page'],
    ];
    expect(outline(await readBlocks(readPdf, pdfFile(pages)))).toEqual([
      '1# A Title',
      '1 Größe 漢字 😀 שלום and more words here go on',
      '3 Last page',
    ]);
    expect(
      outline(await readBlocks(readPdf, pdfFile([['one'], ['two']]), { pagesMax: 1 })),
    ).toEqual(['1 one']);
  });

  it('of another writer is read as well', async () => {
    const file = await PDFDocument.create();
    file.addPage().drawText('Äpfel und Öl');
    expect(outline(await readBlocks(readPdf, await file.save()))).toEqual(['1 Äpfel und Öl']);
  });

  it('with a password is ENCRYPTED, without text EMPTY, cut off DAMAGED', async () => {
    await expect(readBlocks(readPdf, pdfFile([['x']], { encrypted: true }))).rejects.toMatchObject({
      code: 'ENCRYPTED',
    });
    await expect(readBlocks(readPdf, pdfFile([[]]))).rejects.toMatchObject({ code: 'EMPTY' });
    await expect(readBlocks(readPdf, pdfFile([['x']]).subarray(0, 300))).rejects.toMatchObject({
      code: 'DAMAGED',
    });
  });

  it('in columns is read column by column', async () => {
    const column = (x: number, words: string[]) =>
      words.map((text, at): { text: string; at: [number, number] } => ({
        text,
        at: [x, 700 - 14 * at],
      }));
    const page = [
      ...column(50, ['The first column says', 'one thing in two lines']),
      ...column(320, ['The second column says', 'another thing below it']),
    ];
    expect(outline(await readBlocks(readPdf, pdfFile([page])))).toEqual([
      '1 The first column says one thing in two lines',
      '1 The second column says another thing below it',
    ]);
  });

  it('of which the inside of a page is broken keeps the others under their numbers; of which a page is missing it is DAMAGED', async () => {
    const whole = pdfFile([['first'], ['second'], ['third']]).toString('latin1');
    const rotten = whole.replace(/(11 0 obj[\s\S]*?)\/Length/, '$1/Filter /FlateDecode /Length');
    const missing = whole.replace('10 0 R', '99 0 R');
    expect(new Set([whole, rotten, missing]).size).toBe(3);
    expect(outline(await readBlocks(readPdf, Buffer.from(rotten, 'latin1')))).toEqual([
      '1 first',
      '3 third',
    ]);
    await expect(readBlocks(readPdf, Buffer.from(missing, 'latin1'))).rejects.toMatchObject({
      code: 'DAMAGED',
    });
  });
});
