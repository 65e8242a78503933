import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type {
  ExtractContext,
  Extractor,
  NoticeCounts,
} from '../../../../src/vault/extract/block.ts';
import { readImage, readTiff } from '../../../../src/vault/extract/ocr/image.ts';
import { createRecognizer } from '../../../../src/vault/extract/ocr/recognizer.ts';
import { readPdf } from '../../../../src/vault/extract/pdf.ts';
import { mulberry32 } from '../../../support/mulberry32.ts';
import { outline, readBlocks } from '../../../support/read-blocks.ts';
import { scannedPdf } from '../../../support/scanned-pdf.ts';
import {
  type Bitmap,
  halfTurn,
  pngFile,
  quarterTurn,
  textBitmap,
  tiffFile,
} from '../../../support/text-image.ts';

const lines = ['Größere Mengen prüft das Lager', 'The warranty period is two years'];
const scan = textBitmap(lines);
const texts = (page = '') => lines.map((line) => `${page} ${line}`.trim());

const generous = { pagesMax: 100, msMax: 600_000, pixelsMax: 40_000_000 };

async function recognize(
  extractor: Extractor,
  bytes: Uint8Array,
  limits: Partial<typeof generous> = {},
  context: Partial<ExtractContext> = {},
) {
  const notices: NoticeCounts = new Map();
  const recognizer = createRecognizer({ ...generous, ...limits });
  const blocks = await readBlocks(extractor, bytes, { notices, recognizer, ...context });
  return { lines: outline(blocks), notices: Object.fromEntries(notices) };
}

// scan.jpg, scan.webp and fax.pdf contain two lines in DejaVu Sans, drawn by textBitmap() and packed
// by ImageMagick; pdf-lib wrote the images of fax.pdf into pages.
const document = (name: string) =>
  readFile(new URL(`../../../support/documents/${name}`, import.meta.url));

/** A photo of gravel: every pixel is random, without letters. */
function noise(): Bitmap {
  const random = mulberry32(7);
  const [width, height] = [400, 300];
  return {
    width,
    height,
    pixels: Uint8Array.from({ length: width * height }, () => Math.floor(random() * 256)),
  };
}

describe('Images', () => {
  it('The text of a PNG, JPEG, WebP and TIFF image is recognized, with umlauts', async () => {
    const png = await recognize(readImage, pngFile(scan));
    expect(png).toEqual({ lines: texts(), notices: { PAGES_RECOGNIZED: 1 } });
    for (const name of ['scan.jpg', 'scan.webp']) {
      const { lines: recognized } = await recognize(readImage, await document(name));
      expect(recognized.join(' ')).toContain('Größere Mengen prüft das Lager.');
    }
    expect(await recognize(readTiff, tiffFile([scan, scan]))).toEqual({
      lines: [...texts('1'), ...texts('2')],
      notices: { PAGES_RECOGNIZED: 2 },
    });
  });

  it('An image that is turned by a quarter, or upside down, is read', async () => {
    const page = textBitmap([...lines, 'Delivery takes five working days']);
    for (const turned of [quarterTurn(page), halfTurn(page)]) {
      const { lines: read } = await recognize(readImage, pngFile(turned));
      expect(read.join(' ')).toBe([...lines, 'Delivery takes five working days'].join(' '));
    }
  });

  it('An image without text, such as a photo, is EMPTY', async () => {
    await expect(recognize(readImage, pngFile(noise()))).rejects.toMatchObject({ code: 'EMPTY' });
  });

  it('An image with too many pixels is refused before it is decoded', async () => {
    const bomb = pngFile(scan, { width: 60_000, height: 60_000 });
    await expect(recognize(readImage, bomb)).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
    const pixels = scan.width * scan.height;
    await expect(
      recognize(readImage, pngFile(scan), { pixelsMax: pixels - 1 }),
    ).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
    await expect(
      recognize(readTiff, tiffFile([scan]), { pixelsMax: pixels - 1 }),
    ).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
  });

  it('A damaged image is DAMAGED', async () => {
    const image = pngFile(scan);
    for (const damaged of [image.subarray(0, 20), image.subarray(0, 60)])
      await expect(recognize(readImage, damaged)).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});

describe('PDF', () => {
  it('A scanned page between pages of text gives its text with its page number', async () => {
    const file = await scannedPdf([{ text: 'First' }, { png: pngFile(scan) }, { text: 'Third' }]);
    expect(await recognize(readPdf, file)).toEqual({
      lines: ['1 First', ...texts('2'), '3 Third'],
      notices: { PAGES_RECOGNIZED: 1 },
    });
  });

  it('A page whose scan has one bit for each pixel is recognized, as an image and as a mask', async () => {
    const file = await scannedPdf([{ bits: scan }, { bits: scan, isMask: true }]);
    expect((await recognize(readPdf, file)).lines).toEqual([...texts('1'), ...texts('2')]);
  });

  it('Scans that are packed as a fax are recognized: Group 4, as a mask, inverted, and Group 3', async () => {
    const { lines: read, notices } = await recognize(readPdf, await document('fax.pdf'));
    for (const page of [1, 2, 3, 4])
      expect(read).toContain(`${page} Größere Mengen prüft das Lager.`);
    expect(notices).toEqual({ PAGES_RECOGNIZED: 4 });
  });

  it('A page is recognized as it is shown: turned, and put together from strips', async () => {
    const cut = Math.floor(scan.height / 3);
    const strip = (from: number, to: number): Bitmap => ({
      width: scan.width,
      height: to - from,
      pixels: scan.pixels.subarray(from * scan.width, to * scan.width),
    });
    const file = await scannedPdf([
      { png: pngFile(quarterTurn(scan)), turn: 270 },
      { strips: [strip(0, cut), strip(cut, 2 * cut), strip(2 * cut, scan.height)] },
    ]);
    expect((await recognize(readPdf, file)).lines).toEqual([...texts('1'), ...texts('2')]);
  });

  it('Pages beyond the limits of pages and time are counted, and the others are read', async () => {
    const file = await scannedPdf([
      { png: pngFile(scan) },
      { png: pngFile(scan) },
      { text: 'End' },
    ]);
    for (const limits of [{ pagesMax: 1 }, { msMax: 1 }])
      expect(await recognize(readPdf, file, limits)).toEqual({
        lines: [...texts('1'), '3 End'],
        notices: { PAGES_RECOGNIZED: 1, PAGES_NOT_RECOGNIZED: 1 },
      });
  });

  it('Without recognition, pages without text are counted and images are not decoded', async () => {
    const file = await scannedPdf([{ text: 'First' }, { png: pngFile(scan) }, {}]);
    expect(await recognize(readPdf, file, {}, { recognizer: undefined })).toEqual({
      lines: ['1 First'],
      notices: { PAGES_WITHOUT_TEXT: 2 },
    });
  });

  it('An image above the limit of pixels is not decoded, and the other pages are read', async () => {
    const file = await scannedPdf([{ png: pngFile(scan) }, { text: 'End' }]);
    expect(await recognize(readPdf, file, { pixelsMax: scan.width * scan.height - 1 })).toEqual({
      lines: ['2 End'],
      notices: { PAGES_WITHOUT_TEXT: 1 },
    });
  });
});
