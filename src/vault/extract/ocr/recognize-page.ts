import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { Recognizer, SourceFile, TextBlock } from '../block.ts';
import type { NoticeCode } from '../notices.ts';
import { bytesOf, openPdf } from '../open-pdf.ts';
import { type FaxFilter, faxTiffOf, renameFaxFilter } from './fax-images.ts';
import { drawPage, imagesOfPage, type PageImages } from './page-image.ts';

type RecognizedPage = { blocks: TextBlock[]; notice: NoticeCode };
type FaxDocument = { loading: Awaited<ReturnType<typeof openPdf>>; filter: FaxFilter };

/** Recognizes pages of a PDF that have no text, which are mostly scanned. */
export function createPageRecognizer(recognizer: Recognizer, source: SourceFile) {
  /** The document with fax images as they are packed; null if it has none. */
  let faxDocument: FaxDocument | null | undefined;

  async function openFaxDocument(): Promise<FaxDocument | null> {
    const data = await bytesOf(source);
    const filter = renameFaxFilter(Buffer.from(data.buffer));
    return filter ? { loading: await openPdf(data, recognizer.pixelsMax), filter } : null;
  }

  /** The fax images of a page, each as a TIFF file: those that pdf.js could not decode. */
  async function faxImagesOf(number: number, { placed }: PageImages): Promise<Buffer[]> {
    faxDocument ??= await openFaxDocument();
    if (!faxDocument) return [];
    const { filter, loading } = faxDocument;
    const page = await (await loading.promise).getPage(number);
    const decoded = new Set(placed.map(({ name }) => name));
    const packed = (await imagesOfPage(page)).placed.filter(
      ({ name }) => name !== '' && !decoded.has(name),
    );
    page.cleanup();
    return packed.map(({ image }) => faxTiffOf(image, filter));
  }

  async function recognizeImages(page: PDFPageProxy): Promise<RecognizedPage> {
    const images = await imagesOfPage(page);
    const faxImages = await faxImagesOf(page.pageNumber, images);
    const parts =
      faxImages.length > 0 || images.placed.length === 0
        ? faxImages
        : [drawPage(page, images, recognizer.pixelsMax)];
    const blocks: TextBlock[] = [];
    let isComplete = faxImages.length > 0 || images.unreadable === 0;
    for (const part of parts) {
      const recognized = await recognizer.recognize(part);
      blocks.push(...(recognized ?? []));
      isComplete &&= recognized !== undefined;
    }
    if (blocks.length > 0) return { blocks, notice: 'PAGES_RECOGNIZED' };
    return { blocks, notice: isComplete ? 'PAGES_WITHOUT_TEXT' : 'PAGES_NOT_RECOGNIZED' };
  }

  return {
    /** The text of a page, and the notice that says how it was read. */
    recognize: async (page: PDFPageProxy): Promise<RecognizedPage> =>
      recognizer.hasCapacity()
        ? recognizer.measure(() => recognizeImages(page))
        : { blocks: [], notice: 'PAGES_NOT_RECOGNIZED' },
    async end() {
      await faxDocument?.loading.destroy();
    },
  };
}
