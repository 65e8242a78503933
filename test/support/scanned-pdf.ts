import { deflateSync } from 'node:zlib';
import { degrees, PDFDocument, type PDFPage } from 'pdf-lib';
import { type Bitmap, packedBits } from './text-image.ts';

const [pageWidth, pageHeight] = [595, 842];

type ScannedPage =
  | { text: string }
  /** An image over the whole width; `turn` is the rotation of the page in degrees. */
  | { png: Uint8Array; turn?: number }
  /** An image with one bit for each pixel, as in black and white scans. */
  | { bits: Bitmap; isMask?: boolean }
  /** Strips of one image, from top to bottom. */
  | { strips: readonly Bitmap[] }
  | Record<string, never>;

/** A PDF with pages of text and pages that consist of images, as scanners write them. */
export async function scannedPdf(pages: readonly ScannedPage[]): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  for (const content of pages) {
    const page = file.addPage([pageWidth, pageHeight]);
    if ('text' in content) page.drawText(content.text, { x: 50, y: 780, size: 11 });
    if ('png' in content) {
      const image = await file.embedPng(content.png);
      const { turn = 0 } = content;
      page.setRotation(degrees(turn));
      const scale = Math.min(pageWidth / image.width, pageHeight / image.height);
      page.drawImage(image, { x: 0, y: 0, ...image.scale(scale) });
    }
    if ('bits' in content) {
      const { bits, isMask } = content;
      const height = (bits.height * pageWidth) / bits.width;
      placeBits(file, page, bits, { x: 0, y: 0, width: pageWidth, height }, isMask);
    }
    if ('strips' in content) {
      let top = pageHeight;
      for (const strip of content.strips) {
        const height = (strip.height * pageWidth) / strip.width;
        top -= height;
        placeBits(file, page, strip, { x: 0, y: top, width: pageWidth, height });
      }
    }
  }
  return file.save();
}

function placeBits(
  file: PDFDocument,
  page: PDFPage,
  bitmap: Bitmap,
  place: { x: number; y: number; width: number; height: number },
  isMask = false,
) {
  const { context } = file;
  const image = context.stream(deflateSync(packedBits(bitmap)), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: bitmap.width,
    Height: bitmap.height,
    BitsPerComponent: 1,
    Filter: 'FlateDecode',
    ...(isMask ? { ImageMask: true } : { ColorSpace: 'DeviceGray' }),
  });
  const name = page.node.newXObject('Image', context.register(image));
  const { x, y, width, height } = place;
  const content = context.stream(`q ${width} 0 0 ${height} ${x} ${y} cm ${name} Do Q`);
  page.node.addContentStream(context.register(content));
}
