import type { PixelImage } from './gray-image.ts';

/** How an image of a fax is packed: K of its parameters, and whether its bits are inverted. */
type FaxParameters = { k: number; isInverted: boolean };
export type FaxFilter = { parametersOf: (image: PixelImage) => FaxParameters };

const filterName = '/CCITTFaxDecode';
/** As long as the name of the filter, so that the positions in the file stay valid. */
const unknownName = '/CCITTFaxPacked';
/** The dictionary of an image is much shorter. */
const dictionaryBytesMax = 1_000;
/** Group 4, which nearly all black and white scans have. */
const group4: FaxParameters = { k: -1, isInverted: false };

/**
 * pdf.js cannot decode black and white images that are packed as a fax (CCITT), because its decoder
 * is in a file that this build does not contain. Tesseract can, in a TIFF file. This renames the
 * filter in the bytes of a PDF, so that pdf.js returns the images as they are packed. Undefined if
 * the file has none.
 */
export function renameFaxFilter(pdf: Buffer): FaxFilter | undefined {
  const byKey = new Map<string, FaxParameters>();
  for (let at = pdf.indexOf(filterName); at >= 0; at = pdf.indexOf(filterName, at + 1)) {
    const { object, dictionary } = dictionaryAt(pdf, at);
    pdf.write(unknownName, at, 'latin1');
    const numberOf = (name: string) =>
      new RegExp(`/${name}\\s+(-?\\d+)\\b(?!\\s+\\d+\\s+R)`).exec(dictionary)?.[1];
    const k = numberOf('K');
    const parameters = {
      // Parameters in another object are not looked up.
      k: k !== undefined ? Number(k) : /\/DecodeParms\s*\[?\s*<</.test(dictionary) ? 0 : group4.k,
      isInverted: /\/Decode\s*\[\s*1/.test(dictionary),
    };
    byKey.set(`${object}R`, parameters);
    byKey.set(
      keyOf({
        width: Number(numberOf('Width')),
        height: Number(numberOf('Height')),
        isMask: /\/ImageMask\s+true/.test(dictionary),
      }),
      parameters,
    );
  }
  if (byKey.size === 0) return undefined;
  return {
    parametersOf: (image) => byKey.get(image.ref ?? '') ?? byKey.get(keyOf(image)) ?? group4,
  };
}

/** pdf.js does not tell the object of a mask, but all masks of a size are mostly packed alike. */
const keyOf = ({ width, height, isMask }: Pick<PixelImage, 'width' | 'height' | 'isMask'>) =>
  `${width} ${height} ${isMask === true}`;

/** The number of the object around a position, and the text of its dictionary. */
function dictionaryAt(pdf: Buffer, at: number): { object: string; dictionary: string } {
  const before = pdf.toString('latin1', Math.max(0, at - dictionaryBytesMax), at);
  const after = pdf.toString('latin1', at, at + dictionaryBytesMax);
  const start = before.lastIndexOf(' obj');
  const end = after.search(/stream\r?\n/);
  return {
    object: /(\d{1,10}) \d{1,5}$/.exec(before.slice(0, Math.max(0, start)))?.[1] ?? '',
    dictionary: before.slice(start + 1) + (end < 0 ? after : after.slice(0, end)),
  };
}

/** Puts the packed bytes of an image into a TIFF file. */
export function faxTiffOf(image: PixelImage, filter: FaxFilter): Buffer {
  const { width, height, data } = image;
  const { k, isInverted } = filter.parametersOf(image);
  const packed = Buffer.from(isInverted ? data.map((byte) => byte ^ 0xff) : data);
  const tags: [tag: number, value: number][] = [
    [256, width],
    [257, height],
    [258, 1],
    // Compression: Group 4 or Group 3, and of that with two dimensions.
    [259, k < 0 ? 4 : 3],
    // White is 0.
    [262, 0],
    [273, 8],
    [277, 1],
    [278, height],
    [279, packed.length],
    ...(k < 0 ? [] : [[292, k > 0 ? 1 : 0] satisfies [number, number]]),
  ];
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(8 + packed.length, 4);
  const directory = Buffer.alloc(2 + 12 * tags.length + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [index, [tag, value]] of tags.entries()) {
    directory.writeUInt16LE(tag, 2 + 12 * index);
    directory.writeUInt16LE(4, 4 + 12 * index);
    directory.writeUInt32LE(1, 6 + 12 * index);
    directory.writeUInt32LE(value, 10 + 12 * index);
  }
  return Buffer.concat([head, packed, directory]);
}
