import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/vault/extract/pdf.ts';
import { outline, readBlocks } from '../../support/read-blocks.ts';
import { createFileReader } from '../../support/read-files.ts';

// test/support/documents/ contains a report, a workbook and a presentation, written as flat
// OpenDocument XML and saved by LibreOffice 7.4 in each format.
const files = await createFileReader();
const document = (name: string) =>
  readFile(new URL(`../../support/documents/${name}`, import.meta.url));

/** Reads a document, and checks that the offsets of each passage match the text. */
async function readAndCheck(name: string) {
  const content = await document(name);
  const { text, pages, pageStarts } = await files.text(content);
  const { passages, totals, mimeType } = await files.passages(content);
  for (const passage of passages) expect(text.slice(passage.start, passage.end)).toBe(passage.text);
  expect(totals).toEqual({
    pages,
    characters: text.length,
    passages: passages.length,
    notices: [],
  });
  return {
    mimeType,
    text,
    pages,
    starts: pageStarts,
    passages,
    headingsAt: (words: string) =>
      passages.find((passage) => passage.text.includes(words))?.headings,
  };
}

const opening =
  'Die Nordwind GmbH aus Köln hat im Jahr 2025 1.250 Geräte geprüft; davon waren 97 % in Ordnung. Über die Übrigen berichtet der zweite Abschnitt ausführlich, und zwar in ganzen Sätzen, die über mehr als eine Zeile laufen.';
const scripts = '漢字とかなの文章です。東京都にあります。\n\nשלום עולם';
const lists =
  'Aufgaben\n\nPrüfen\nelektrisch\nmechanisch\nBerichten\nErstens messen\nZweitens wägen';
const table = 'Ort | Geräte | Anteil\nKöln | 800 | 64 %\nDüsseldorf | 450 | 36 %';
const rest =
  'Mängel\n\nAuf der zweiten Seite steht der Rest: ein Kabel war lose. Siehe die Anleitung.\nNeue Zeile\tnach Tabulator.\n\nFolgen\n\nKeine. 😀';
const footnote = 'Gezählt am 31. Dezember 2025.';

describe('documents saved by LibreOffice', () => {
  it('A Word file gives headings, lists with their numbers, rows and notes, and its page header once at the end', async () => {
    const { mimeType, text, pages, headingsAt } = await readAndCheck('report.docx');
    expect(mimeType).toContain('wordprocessingml');
    const numberedLists = lists.replace('Erstens', '1. Erstens').replace('Zweitens', '2. Zweitens');
    const header = 'Vertraulich · Nordwind GmbH';
    expect(text).toBe(
      [
        ...['Jahresbericht Größe & Güte', opening, scripts, numberedLists, table, rest],
        ...[footnote, header],
      ].join('\n\n'),
    );
    expect(pages).toBeNull();
    // "Folgen" has a custom style, which is based on the second heading.
    expect(headingsAt('Keine.')).toEqual(['Mängel', 'Folgen']);
    expect(headingsAt('Düsseldorf')).toEqual(['Jahresbericht Größe & Güte', 'Aufgaben']);
  });

  it('An OpenDocument file gives the same text, with each note after the paragraph that refers to it', async () => {
    const { mimeType, text, pages, headingsAt } = await readAndCheck('report.odt');
    expect(mimeType).toContain('opendocument.text');
    expect(text).toBe(
      ['Jahresbericht Größe & Güte', opening, footnote, scripts, lists, table, rest].join('\n\n'),
    );
    expect(pages).toBeNull();
    expect(headingsAt('Keine.')).toEqual(['Mängel', 'Folgen']);
  });

  it('A PDF gives the printed text of each page, with headings detected by their size', async () => {
    const { mimeType, text, pages, starts } = await readAndCheck('report.pdf');
    const head = 'Vertraulich · Nordwind GmbH';
    expect(mimeType).toBe('application/pdf');
    expect(pages).toBe(2);
    expect(starts).toEqual([
      { page: 1, start: 0 },
      { page: 2, start: text.lastIndexOf(head) },
    ]);
    const [first = '', second = ''] = text.split(head).slice(1);
    expect(first.trim().split('\n\n').slice(0, 4)).toEqual([
      'Jahresbericht Größe & Güte',
      `${opening}1`,
      ...scripts.split('\n\n'),
    ]);
    expect(first).toContain(
      '• Prüfen\n– elektrisch\n– mechanisch\n• Berichten\n1. Erstens messen\n2. Zweitens wägen',
    );
    for (const row of ['Ort Geräte Anteil', 'Köln 800 64 %', 'Düsseldorf 450 36 %', `1${footnote}`])
      expect(first.split('\n')).toContain(row);
    // A PDF does not say whether a line that ends early is the end of a line of text, so white
    // space is not compared.
    expect(second.trim().replaceAll(/\s+/g, ' ')).toBe(rest.replaceAll(/\s+/g, ' '));
    const blocks = await readBlocks(readPdf, await document('report.pdf'));
    expect(outline(blocks).filter((line) => line.includes('#'))).toEqual([
      '1# Jahresbericht Größe & Güte',
      '1## Aufgaben',
      '2# Mängel',
      '2## Folgen',
    ]);
  });

  it('A workbook gives each row with column headers, and dates, percentages, times and formula results as displayed', async () => {
    const { text, pages, starts, passages } = await readAndCheck('book.xlsx');
    const first = [
      'Umsätze\n\nUmsätze 2025 nach Stadt',
      'Stadt | Datum | Betrag | Anteil | Uhrzeit | Bezahlt',
      'Stadt: Köln | Datum: 2025-03-31 | Betrag: 1234.50 € | Anteil: 55% | Uhrzeit: 08:30:00 | Bezahlt: TRUE',
      'Stadt: 東京 & Umland zweite Zeile | Datum: 2024-02-29 | Betrag: 1000.00 € | Anteil: 45% | Uhrzeit: 17:05:00 | Bezahlt: FALSE',
      'Stadt: Summe | Betrag: 2234.50 €',
    ].join('\n');
    expect(text).toBe(
      `${first}\n\nLager\n\nTeil | Menge\nTeil: Schraube M4 | Menge: -12000.25\nTeil: Durch null | Menge: #DIV/0!`,
    );
    expect(pages).toBe(2);
    expect(starts).toEqual([
      { page: 1, start: 0 },
      { page: 2, start: first.length + 2 },
    ]);
    expect(passages.map(({ page, headings }) => ({ page, headings }))).toEqual([
      { page: 1, headings: ['Umsätze'] },
      { page: 2, headings: ['Lager'] },
    ]);
  });

  it('A presentation gives each slide under its title, with tables and speaker notes', async () => {
    const { text, pages, starts } = await readAndCheck('talk.pptx');
    expect(pages).toBe(3);
    expect(starts.map(({ start }, at) => text.slice(start, starts[at + 1]?.start).trim())).toEqual([
      'Prüfung der Geräte\n\nMessen\n\nStrom und Spannung\n\n漢字 und 😀\n\nHier langsam sprechen.',
      'Ergebnis\n\nOrt | Geräte\nKöln | 800\n\nFreier Text',
      'Ohne Titel',
    ]);
    expect(starts.map(({ page }) => page)).toEqual([1, 2, 3]);
  });

  it.each(['report.doc', 'book.xls'])(
    'The old Office format of %s is UNSUPPORTED, and the message names the formats that are read',
    async (name) => {
      await expect(files.text(await document(name))).rejects.toMatchObject({
        name: 'ExtractError',
        code: 'UNSUPPORTED',
        message: expect.stringContaining('Word (.docx), PowerPoint (.pptx), Excel (.xlsx),'),
      });
    },
  );

  it.each(['protected.docx', 'protected.xlsx', 'protected.odt', 'protected.pdf'])(
    'The password-protected file %s is ENCRYPTED',
    async (name) => {
      await expect(files.text(await document(name))).rejects.toMatchObject({
        name: 'ExtractError',
        code: 'ENCRYPTED',
      });
    },
  );
});
