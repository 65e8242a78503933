import { addNotice, type Extractor, type TextBlock } from './block.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { createPageRecognizer } from './ocr/recognize-page.ts';
import { bytesOf, openPdf, throwExtractError } from './open-pdf.ts';
import { withFields } from './pdf-fields.ts';
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
 * Reads PDF page by page, with what was typed into its forms. Errors inside a page are skipped, as PDF viewers do. If a page cannot be found, all later pages are missing too, and the
 * file is DAMAGED, so that an incomplete text is never taken for the whole document.
 */
export const readPdf: Extractor = normalizeBlocks(async function* (source, context) {
  const { pagesMax, recognizer, notices } = context;
  const pageRecognizer = recognizer && createPageRecognizer(recognizer, source);
  const loading = await openPdf(await bytesOf(source), recognizer?.pixelsMax ?? 0);
  try {
    const pdf = await loading.promise.catch(throwExtractError);
    const runningLines = createRunningLineFilter<ReadPage>();
    const blocksOf = createBlockMaker();
    for (let number = 1; number <= Math.min(pdf.numPages, pagesMax); number += 1) {
      const page = await pdf.getPage(number).catch(throwExtractError);
      const { items } = await page.getTextContent().catch(throwExtractError);
      const texts = items.filter((item) => 'str' in item);
      const hasText = texts.some(({ str }) => /\S/.test(str));
      const recognized = hasText ? undefined : await pageRecognizer?.recognize(page);
      if (!hasText) addNotice(notices, recognized?.notice ?? 'PAGES_WITHOUT_TEXT');
      const annotations = await page.getAnnotations().catch(() => []);
      const [, bottom = 0, , top = 0] = page.view;
      yield* runningLines
        .add({
          number,
          bottom,
          height: top - bottom,
          lines: linesOf(withFields(texts, annotations)),
          recognized: recognized?.blocks ?? [],
        })
        .flatMap(blocksOf);
      page.cleanup();
      if (number % pagesBetweenCleanups === 0) await pdf.cleanup();
    }
    yield* runningLines.end().flatMap(blocksOf);
  } finally {
    await loading.destroy();
    await pageRecognizer?.end();
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
