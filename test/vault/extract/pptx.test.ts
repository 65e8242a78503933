import { describe, expect, it } from 'vitest';
import { readPptx } from '../../../src/vault/extract/pptx.ts';
import { pptxFile } from '../../support/office-files.ts';
import { outline, readBlocks } from '../../support/read-blocks.ts';

describe('readPptx', () => {
  it('A presentation gives its slides in the order shown: title, texts, table rows, notes', async () => {
    const slides = [
      { title: 'Größe 漢字', texts: ['One', 'Two 😀'], rows: [['a', 'b']], notes: 'Say שלום' },
      {},
      { texts: ['Untitled'] },
    ];
    expect(outline(await readBlocks(readPptx, pptxFile(slides)))).toEqual([
      '1# Größe 漢字',
      '1 One',
      '1 Two 😀',
      '1row a | b',
      '1 Say שלום',
      '3 Untitled',
    ]);
    expect(
      outline(await readBlocks(readPptx, pptxFile(slides.toReversed()), { pagesMax: 1 })),
    ).toEqual(['1 Untitled']);
  });

  it('A presentation without text is EMPTY', async () => {
    await expect(readBlocks(readPptx, pptxFile([{}]))).rejects.toMatchObject({ code: 'EMPTY' });
  });
});
