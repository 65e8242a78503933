import { getResolvedPDFJS } from 'unpdf';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import { z } from 'zod';
import { type GrayImage, grayImageOf, type PixelImage } from './gray-image.ts';
import { invert, type Matrix, multiply } from './matrix.ts';

/** An image, and the matrix from the unit square to the page. */
type PlacedImage = { name: string; image: PixelImage; matrix: Matrix };
export type PageImages = { placed: PlacedImage[]; unreadable: number };

/** More than this is not needed to recognize text, and takes time: 400 dots per inch. */
const pixelsPerPointMax = 400 / 72;

const matrixSchema = z.tuple([
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
]);
const pixelImage = z.object({
  width: z.int().min(1),
  height: z.int().min(1),
  /** Absent for masks, which have one bit for each pixel. */
  kind: z.int().optional(),
  ref: z.string().optional(),
  data: z.instanceof(Uint8Array).or(z.instanceof(Uint8ClampedArray)),
});
const imageArgument = z.union([z.string(), pixelImage, z.object({ data: z.string() })]);

/** Finds the images that a page draws, with their places. Images that pdf.js cannot decode count. */
export async function imagesOfPage(page: PDFPageProxy): Promise<PageImages> {
  const { OPS, AnnotationMode } = await getResolvedPDFJS();
  const operations = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  const images: PageImages = { placed: [], unreadable: 0 };
  const saved: Matrix[] = [];
  let current: Matrix = [1, 0, 0, 1, 0, 0];
  const transform = (argument: unknown) => {
    const matrix = matrixSchema.safeParse(argument);
    if (matrix.success) current = multiply(current, matrix.data);
  };
  for (const [index, operation] of operations.fnArray.entries()) {
    const values: unknown = operations.argsArray[index];
    const [first] = Array.isArray(values) ? values : [];
    if (operation === OPS.save || operation === OPS.paintFormXObjectBegin) saved.push(current);
    if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd)
      current = saved.pop() ?? current;
    if (operation === OPS.transform) transform(values);
    if (operation === OPS.paintFormXObjectBegin) transform(first);
    const isMask = operation === OPS.paintImageMaskXObject;
    if (!isMask && operation !== OPS.paintImageXObject && operation !== OPS.paintInlineImageXObject)
      continue;
    const name = nameOf(first);
    const image = await imageOf(page, name, first);
    if (image) images.placed.push({ name, image: { ...image, isMask }, matrix: current });
    else images.unreadable += 1;
  }
  return images;
}

/** The name of an image; empty for a small one, which is part of the operation. */
function nameOf(argument: unknown): string {
  const { success, data } = imageArgument.safeParse(argument);
  if (!success) return '';
  if (typeof data === 'string') return data;
  return typeof data.data === 'string' ? data.data : '';
}

async function imageOf(page: PDFPageProxy, name: string, argument: unknown) {
  if (name === '') return pixelImage.safeParse(argument).data;
  // Images that several pages use are in another list, and have names with this prefix.
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  const image = await new Promise<unknown>((resolve) => objects.get(name, resolve));
  return pixelImage.safeParse(image).data;
}

/**
 * Draws the images of a page as a viewer shows them, also if the page is turned or its scan consists
 * of strips.
 */
export function drawPage(
  page: PDFPageProxy,
  { placed }: PageImages,
  pixelsMax: number,
): Uint8Array {
  const { width, height } = page.getViewport({ scale: 1 });
  const densities = placed.map(({ image, matrix: [a, b, c, d] }) =>
    Math.sqrt((image.width * image.height) / Math.max(Math.abs(a * d - b * c), 1)),
  );
  const scale = Math.min(
    Math.max(...densities),
    pixelsPerPointMax,
    Math.sqrt(pixelsMax / Math.max(width * height, 1)),
  );
  const { transform, ...size } = page.getViewport({ scale });
  const canvas: GrayImage = {
    width: Math.floor(size.width),
    height: Math.floor(size.height),
    pixels: new Uint8Array(Math.floor(size.width) * Math.floor(size.height)).fill(white),
  };
  const view = matrixSchema.parse(transform);
  for (const [index, { image, matrix }] of placed.entries())
    drawImage(
      canvas,
      grayImageOf(image, Math.floor((densities[index] ?? 1) / scale)),
      multiply(view, matrix),
    );
  // PGM, the simplest format that the recognizer decodes.
  const header = Buffer.from(`P5\n${canvas.width} ${canvas.height}\n${white}\n`);
  return Buffer.concat([header, canvas.pixels]);
}

const white = 255;

/** Copies to each pixel of the canvas the pixel of the image that the matrix draws there. */
function drawImage(canvas: GrayImage, image: GrayImage, matrix: Matrix): void {
  const [a, b, c, d, e, f] = matrix;
  const inverse = invert(matrix);
  if (!inverse) return;
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const left = Math.max(0, Math.floor(Math.min(...xs)));
  const right = Math.min(canvas.width, Math.ceil(Math.max(...xs)));
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const bottom = Math.min(canvas.height, Math.ceil(Math.max(...ys)));
  const [ia, ib, ic, id, ie, if_] = inverse;
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const column = Math.floor((ia * (x + 0.5) + ic * (y + 0.5) + ie) * image.width);
      // The first row of an image is at the top of the unit square.
      const row = Math.floor((1 - (ib * (x + 0.5) + id * (y + 0.5) + if_)) * image.height);
      if (column < 0 || row < 0 || column >= image.width || row >= image.height) continue;
      canvas.pixels[y * canvas.width + x] = image.pixels[row * image.width + column] ?? white;
    }
}
