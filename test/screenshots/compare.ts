import type { Page } from 'playwright-core';
import type { DemoPage } from '../support/demo-pages.ts';

// A block of so many pixels differs if the mean of a colour does, by more than this of 255: letters
// that another version of the browser draws a little differently change a mean less.
const blockPixels = 8;
const meanDifferenceMax = 24;
/** So many of 1,000 blocks may differ. */
const differingBlocksMax = 3;
const differingBlocksMaxOfMeasurements = 25;

/** Compares images in a page of a browser, which decodes them. */
export async function openComparison(page: Page) {
  await page.goto('about:blank');
  return {
    /** How an image differs from its reference; undefined if it is the same within the tolerance. */
    async differenceOf(
      reference: Buffer,
      image: Buffer,
      { showsMeasurements = false }: Pick<DemoPage, 'showsMeasurements'>,
    ): Promise<string | undefined> {
      const result = await page.evaluate(compareImages, {
        images: [reference, image].map((bytes) => bytes.toString('base64')),
        blockPixels,
        meanDifferenceMax,
      });
      if (result.sizes) return `${result.sizes[1]} pixels in place of ${result.sizes[0]}`;
      const perThousand = (result.differing / result.blocks) * 1_000;
      if (
        perThousand <= (showsMeasurements ? differingBlocksMaxOfMeasurements : differingBlocksMax)
      )
        return undefined;
      return `${perThousand.toFixed(1)} of 1,000 blocks differ, the first at ${result.first}`;
    },
  };
}

type ComparedImages = { images: string[]; blockPixels: number; meanDifferenceMax: number };

/** Runs in the browser. */
async function compareImages({
  images,
  blockPixels: size,
  meanDifferenceMax: max,
}: ComparedImages) {
  const drawn = await Promise.all(
    images.map(async (base64) => {
      const image = new Image();
      image.src = `data:image/jpeg;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
      return { width: image.width, height: image.height, pixels };
    }),
  );
  const [before, after] = drawn;
  if (!before || !after) throw new Error('two images are compared');
  // A line more or less of text is reported as a size, not as differences in everything below it.
  if (before.width !== after.width || Math.abs(before.height - after.height) > size)
    return {
      sizes: drawn.map(({ width, height }) => `${width} × ${height}`),
      differing: 0,
      blocks: 1,
      first: '',
    };
  const height = Math.min(before.height, after.height);
  let differing = 0;
  let blocks = 0;
  let first = '';
  for (let top = 0; top + size <= height; top += size)
    for (let left = 0; left + size <= before.width; left += size) {
      const sums = [0, 0, 0];
      for (let y = top; y < top + size; y += 1)
        for (let x = left; x < left + size; x += 1)
          for (let colour = 0; colour < 3; colour += 1) {
            const at = (y * before.width + x) * 4 + colour;
            sums[colour] = (sums[colour] ?? 0) + (before.pixels[at] ?? 0) - (after.pixels[at] ?? 0);
          }
      blocks += 1;
      if (sums.some((sum) => Math.abs(sum) / (size * size) > max)) {
        differing += 1;
        first ||= `${left}, ${top}`;
      }
    }
  return { sizes: undefined, differing, blocks, first };
}
