/** Pixels as pdf.js gives them. A mask has one bit for each pixel; a bit of 0 is drawn. */
export type PixelImage = {
  width: number;
  height: number;
  kind?: number | undefined;
  data: Uint8Array | Uint8ClampedArray;
  isMask?: boolean;
  /** The object of the image in the file, such as "5R". */
  ref?: string | undefined;
};
export type GrayImage = { width: number; height: number; pixels: Uint8Array };

/** The values of `kind` of pdf.js. */
const oneBit = 1;
const rgb = 2;
const white = 255;

/**
 * The image in gray on white. If `factor` is above 1, it is reduced by this factor, and each pixel is
 * the mean of those that it replaces.
 */
export function grayImageOf(image: PixelImage, factor: number): GrayImage {
  const { width, height } = image;
  const grayAt = pixelReaderOf(image);
  const step = Math.max(1, factor);
  const reduced: GrayImage = {
    width: Math.max(1, Math.floor(width / step)),
    height: Math.max(1, Math.floor(height / step)),
    pixels: new Uint8Array(0),
  };
  reduced.pixels = new Uint8Array(reduced.width * reduced.height);
  for (let y = 0; y < reduced.height; y += 1)
    for (let x = 0; x < reduced.width; x += 1) {
      let sum = 0;
      for (let row = y * step; row < y * step + step; row += 1)
        for (let column = x * step; column < x * step + step; column += 1)
          sum += grayAt(Math.min(column, width - 1), Math.min(row, height - 1));
      reduced.pixels[y * reduced.width + x] = sum / (step * step);
    }
  return reduced;
}

function pixelReaderOf({ width, kind, data, isMask }: PixelImage) {
  if (isMask || kind === oneBit) {
    const rowBytes = Math.ceil(width / 8);
    // In a mask and in a gray image 0 is the color of the drawing, which is taken for black.
    return (column: number, row: number): number =>
      ((data[row * rowBytes + (column >> 3)] ?? white) >> (7 - (column & 7))) & 1 ? white : 0;
  }
  const pixelBytes = kind === rgb ? 3 : 4;
  return (column: number, row: number): number => {
    const at = (row * width + column) * pixelBytes;
    const gray =
      0.299 * (data[at] ?? white) +
      0.587 * (data[at + 1] ?? white) +
      0.114 * (data[at + 2] ?? white);
    if (pixelBytes === 3) return gray;
    const opacity = (data[at + 3] ?? white) / white;
    return gray * opacity + white * (1 - opacity);
  };
}
