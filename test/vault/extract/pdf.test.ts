import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/vault/extract/pdf.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { outline, readBlocks } from '../../support/read-blocks.ts';

describe('readPdf', () => {
  it('A PDF gives its pages in order, with lines joined to paragraphs, in every script', async () => {
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

  it('A PDF written by another library is read', async () => {
    const file = await PDFDocument.create();
    file.addPage().drawText('Äpfel und Öl');
    expect(outline(await readBlocks(readPdf, await file.save()))).toEqual(['1 Äpfel und Öl']);
  });

  it('A PDF with a password is ENCRYPTED, one without text EMPTY, a truncated one DAMAGED', async () => {
    await expect(readBlocks(readPdf, pdfFile([['x']], { encrypted: true }))).rejects.toMatchObject({
      code: 'ENCRYPTED',
    });
    await expect(readBlocks(readPdf, pdfFile([[]]))).rejects.toMatchObject({ code: 'EMPTY' });
    await expect(readBlocks(readPdf, pdfFile([['x']]).subarray(0, 300))).rejects.toMatchObject({
      code: 'DAMAGED',
    });
  });

  it('A PDF page with columns is read column by column', async () => {
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

  it('A PDF with one broken page keeps the numbers of the others, and a PDF with a missing page is DAMAGED', async () => {
    const complete = pdfFile([['first'], ['second'], ['third']]).toString('latin1');
    const corrupted = complete.replace(
      /(11 0 obj[\s\S]*?)\/Length/,
      '$1/Filter /FlateDecode /Length',
    );
    const missing = complete.replace('10 0 R', '99 0 R');
    expect(new Set([complete, corrupted, missing]).size).toBe(3);
    expect(outline(await readBlocks(readPdf, Buffer.from(corrupted, 'latin1')))).toEqual([
      '1 first',
      '3 third',
    ]);
    await expect(readBlocks(readPdf, Buffer.from(missing, 'latin1'))).rejects.toMatchObject({
      code: 'DAMAGED',
    });
  });
});
