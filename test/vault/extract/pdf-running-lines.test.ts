import { expect, it } from 'vitest';
import { readPdf } from '../../../src/vault/extract/pdf.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { outline, readBlocks } from '../../support/read-blocks.ts';

type Line = { text: string; at: [x: number, y: number] };

const head = (text: string): Line => ({ text, at: [50, 810] });
const foot = (text: string): Line => ({ text, at: [250, 30] });
const body = (page: number): Line[] => [
  { text: `Section ${page * 7} says what happens on a day`, at: [50, 760] },
  { text: `that no other page of this text knows, ${page}.`, at: [50, 747] },
];
const readPages = async (pages: readonly Line[][]) =>
  outline(await readBlocks(readPdf, pdfFile(pages)));
const bodyTexts = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `${index + 1} Section ${(index + 1) * 7} says what happens on a day that no other page of this text knows, ${index + 1}.`,
  );
const pagesOf = (count: number, lines: (page: number) => Line[]) =>
  Array.from({ length: count }, (_, index) => [...lines(index + 1), ...body(index + 1)]);

it('A running head stays once, and the number of the page is removed', async () => {
  const pages = pagesOf(12, (page) => [
    head('Handbook of Nordwind GmbH'),
    foot(`Page ${page} of 12`),
  ]);
  expect(await readPages(pages)).toEqual(['1 Handbook of Nordwind GmbH', ...bodyTexts(12)]);
});

it('Heads of left and right pages are removed, also with the number of the page', async () => {
  const pages = pagesOf(12, (page) => [
    head(page % 2 === 0 ? `${page} Handbook` : `Returns ${page}`),
  ]);
  expect(await readPages(pages)).toEqual([
    '1 Returns 1',
    bodyTexts(1)[0],
    '2 2 Handbook',
    ...bodyTexts(12).slice(1),
  ]);
});

it('A line at the edge of fewer than three pages stays, and so does one whose numbers do not count up', async () => {
  const twice = pagesOf(5, (page) => (page <= 2 ? [head('Annual report')] : []));
  expect((await readPages(twice)).filter((text) => text.includes('Annual report'))).toHaveLength(2);
  const amounts = [310, 120, 990, 450, 100];
  const totals = pagesOf(5, (page) => [foot(`Total ${amounts[page - 1]} EUR`)]);
  expect((await readPages(totals)).filter((text) => text.includes('Total'))).toHaveLength(5);
});

it('The header of a table that each page repeats stays', async () => {
  const table = Array.from({ length: 4 }, (_, page): Line[] => [
    { text: 'Item and price', at: [50, 800] },
    { text: `Hammer of kind ${page} 12`, at: [50, 787] },
    { text: `Saw of kind ${page} 15`, at: [50, 774] },
  ]);
  const headersIn = (texts: string[]) => texts.filter((text) => text.includes('Item and price'));
  expect(headersIn(await readPages(table))).toHaveLength(4);
  const beforeText = table.map((lines, page) => [
    ...lines,
    { text: `Pliers of kind ${page} 11`, at: [50, 761] satisfies [number, number] },
    { text: `The prices of page ${page} are net.`, at: [50, 700] satisfies [number, number] },
  ]);
  expect(headersIn(await readPages(beforeText))).toHaveLength(4);
});
