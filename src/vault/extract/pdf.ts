import { open } from 'node:fs/promises';
import { getResolvedPDFJS } from 'unpdf';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import {
  addNotice,
  type ExtractContext,
  type Extractor,
  type SourceFile,
  type TextBlock,
} from './block.ts';
import { ExtractError } from './extract-error.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { linesOf, type PdfLine } from './pdf-lines.ts';
import { createParagraphs } from './pdf-paragraphs.ts';
import { createRunningLineFilter } from './pdf-running-lines.ts';
import { createContentsFilter } from './table-of-contents.ts';

/**
 * Fonts and other resources shared by pages are released after this many pages, so that they do not
 * accumulate in a long document.
 */
const pagesBetweenCleanups = 200;

/**
 * Reads PDF page by page. The bundled build of pdf.js contains no eval and no worker, and it gets
 * no address for fonts or character maps, so it reads only the file. Errors inside a page are
 * skipped, as PDF viewers do. If a page cannot be found, all later pages are missing too, and the
 * file is DAMAGED, so that an incomplete text is never taken for the whole document.
 */
export const readPdf: Extractor = normalizeBlocks(async function* (source, context) {
  const { pagesMax, recognizer } = context;
  const data = await bytesOf(source);
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  const loading = getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    maxImageSize: recognizer?.pixelsMax ?? 0,
  });
  try {
    const pdf = await loading.promise.catch(throwExtractError);
    const runningLines = createRunningLineFilter<ReadPage>();
    const blocksOf = createBlockMaker();
    for (let number = 1; number <= Math.min(pdf.numPages, pagesMax); number += 1) {
      const page = await pdf.getPage(number).catch(throwExtractError);
      const { items } = await page.getTextContent().catch(throwExtractError);
      const texts = items.filter((item) => 'str' in item);
      const hasText = texts.some(({ str }) => /\S/.test(str));
      const [, bottom = 0, , top = 0] = page.view;
      yield* runningLines
        .add({
          number,
          bottom,
          height: top - bottom,
          lines: linesOf(texts),
          recognized: hasText ? [] : await recognizePage(page, context),
        })
        .flatMap(blocksOf);
      page.cleanup();
      if (number % pagesBetweenCleanups === 0) await pdf.cleanup();
    }
    yield* runningLines.end().flatMap(blocksOf);
  } finally {
    await loading.destroy();
  }
});

type ReadPage = {
  number: number;
  bottom: number;
  height: number;
  lines: readonly PdfLine[];
  /** The text of a page that has only images. */
  recognized: TextBlock[];
};

function createBlockMaker() {
  const paragraphsOf = createParagraphs();
  const contentsFilter = createContentsFilter();
  return ({ number, lines, recognized }: ReadPage): TextBlock[] => {
    const inContents = contentsFilter(lines.map(({ text }) => text));
    const blocks = paragraphsOf(lines.filter((_, index) => !inContents[index]));
    return [...blocks, ...recognized].map((block) => ({ ...block, page: number }));
  };
}

/** Recognizes the text of the images of a page, which is mostly a scanned one. */
async function recognizePage(
  page: PDFPageProxy,
  { recognizer, notices }: ExtractContext,
): Promise<TextBlock[]> {
  if (!recognizer?.hasCapacity()) {
    addNotice(notices, recognizer ? 'PAGES_NOT_RECOGNIZED' : 'PAGES_WITHOUT_TEXT');
    return [];
  }
  const { drawPage, imagesOfPage } = await import('./ocr/page-image.ts');
  const images = await imagesOfPage(page);
  if (images.placed.length === 0) {
    addNotice(notices, images.unreadable > 0 ? 'PAGES_NOT_RECOGNIZED' : 'PAGES_WITHOUT_TEXT');
    return [];
  }
  const blocks = await recognizer.countPage(() =>
    recognizer.recognize(drawPage(page, images, recognizer.pixelsMax)),
  );
  const hasText = blocks !== undefined && blocks.length > 0;
  addNotice(
    notices,
    hasText
      ? 'PAGES_RECOGNIZED'
      : blocks && images.unreadable === 0
        ? 'PAGES_WITHOUT_TEXT'
        : 'PAGES_NOT_RECOGNIZED',
  );
  return blocks ?? [];
}

/**
 * Reads the whole file. pdf.js uses the array without a copy because nothing else shares its
 * memory.
 */
async function bytesOf({ path, bytes }: SourceFile) {
  const data = new Uint8Array(bytes);
  const file = await open(path);
  try {
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(data, at);
      if (bytesRead === 0) throw new ExtractError('DAMAGED');
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  return data;
}

/**
 * Everything that pdf.js throws for a file in memory, from its own errors to a TypeError deep
 * inside, means that it cannot read the file.
 */
function throwExtractError(fault: unknown): never {
  throw new ExtractError(
    fault instanceof Error && fault.name === 'PasswordException' ? 'ENCRYPTED' : 'DAMAGED',
  );
}
