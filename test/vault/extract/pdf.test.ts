import { PDFDocument, PDFString } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/vault/extract/pdf.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { joined, outline, readBlocks } from '../../support/read-blocks.ts';

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

  it('What was typed into a form is behind its label, and a chosen box is marked', async () => {
    const file = await PDFDocument.create();
    const page = file.addPage([600, 800]);
    const form = file.getForm();
    const box = (x: number, y: number) => ({ x, y, width: 150, height: 20 });
    const small = (y: number) => ({ x: 50, y, width: 14, height: 14 });
    page.drawText('Application for leave', { x: 50, y: 750, size: 20 });
    page.drawText('Name:', { x: 50, y: 705, size: 12 });
    page.drawText('Days:', { x: 300, y: 705, size: 12 });
    page.drawText('Half a day', { x: 80, y: 655, size: 12 });
    page.drawText('A whole day', { x: 80, y: 635, size: 12 });
    page.drawText('Kind:', { x: 50, y: 605, size: 12 });
    const text = (name: string, value: string) => {
      const field = form.createTextField(name);
      field.setText(value);
      return field;
    };
    text('name', 'Ada Lovelace').addToPage(page, box(100, 700));
    text('days', '12').addToPage(page, box(350, 700));
    text('empty', '').addToPage(page, box(100, 670));
    const half = form.createCheckBox('half');
    half.addToPage(page, small(652));
    const whole = form.createCheckBox('whole');
    whole.addToPage(page, small(632));
    whole.check();
    const kind = form.createDropdown('kind');
    kind.addOptions(['Parental leave', 'Sick leave']);
    kind.select('Sick leave');
    kind.addToPage(page, box(100, 600));
    text('note', 'On the train').addToPage(page, box(100, 560));
    const secret = text('secret', 'hunter2');
    secret.enablePassword();
    secret.addToPage(page, box(100, 530));
    expect(joined(await readBlocks(readPdf, await file.save())).split(/\n+/)).toEqual([
      'Application for leave',
      'Name: Ada Lovelace Days: 12',
      'Half a day',
      '☒ A whole day',
      'Kind: Sick leave',
      'On the train',
    ]);
  });

  it('Text that a viewer has typed onto a page is read in its line, and hidden text and notes are not', async () => {
    const file = await PDFDocument.create();
    const page = file.addPage([600, 800]);
    page.drawText('Name:', { x: 50, y: 700, size: 12 });
    page.drawText('Place:', { x: 50, y: 670, size: 12 });
    const typed = (Subtype: string, Contents: string, y: number, more = {}) => {
      const Rect = [100, y - 5, 250, y + 15];
      const annotation = {
        Type: 'Annot',
        Subtype,
        Rect,
        Contents: PDFString.of(Contents),
        ...more,
      };
      page.node.addAnnot(file.context.register(file.context.obj(annotation)));
    };
    typed('FreeText', 'Ada', 700);
    typed('FreeText', 'Paris', 670);
    typed('FreeText', 'hidden', 640, { F: 2 });
    typed('Text', 'a note', 610);
    expect(joined(await readBlocks(readPdf, await file.save()))).toBe('Name: Ada\n\nPlace: Paris');
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
