import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { findQuote } from './find-quote.ts';

// Sharp enough to read on a wide screen. A poster would otherwise need gigabytes.
const widthMax = 1_600;
const pixelsMax = 6_000_000;
const markColour = '#ffe9a8';

/**
 * Draws a page of a PDF, and marks the quote on it. Resolves with where the quote begins, from 0 at
 * the top of the page to 1; undefined if it is not on the page.
 */
export async function drawPage(
  file: PDFDocumentProxy,
  number: number,
  quote: string,
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
): Promise<number | undefined> {
  const page = await file.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(widthMax / width, Math.sqrt(pixelsMax / (width * height)));
  const viewport = page.getViewport({ scale });
  signal.throwIfAborted();
  canvas.width = Math.ceil(viewport.width);
  canvas.height = Math.ceil(viewport.height);
  const drawing = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => drawing.cancel(), { once: true });
  await drawing.promise;

  const { items } = await page.getTextContent();
  const texts = items.filter((item) => 'str' in item);
  const context = canvas.getContext('2d');
  if (!context || signal.aborted) return undefined;
  let quoteTop: number | undefined;
  // The marks stand behind the letters, like those of a pen.
  context.globalCompositeOperation = 'multiply';
  context.fillStyle = markColour;
  const pointOf = (x: number, y: number) => viewport.convertToViewportPoint(x, y);
  for (const { index, from, to } of findQuote(texts, quote)) {
    const item = texts[index];
    if (!item) continue;
    const [, , , , x, y] = item.transform;
    const xOf = (characters: number) => x + (item.width * characters) / item.str.length;
    const [left = 0, bottom = 0] = pointOf(xOf(from), y - item.height * 0.25);
    const [right = 0, top = 0] = pointOf(xOf(to), y + item.height);
    context.fillRect(left, top, right - left, bottom - top);
    quoteTop ??= top / canvas.height;
  }
  return quoteTop;
}
