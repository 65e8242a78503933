/** The size of an image, and how a viewer turns it, as the value of EXIF from 1 to 8. */
export type ImageHeader = { width: number; height: number; orientation: number };

const upright = 1;

/** Reads the header of a PNG, JPEG or WebP image; undefined if it has none. */
export function imageHeaderOf(image: Buffer): ImageHeader | undefined {
  try {
    if (image.readUInt16BE(0) === 0xffd8) return jpegHeader(image);
    const [width, height] =
      image.toString('latin1', 12, 16) === 'IHDR'
        ? [image.readUInt32BE(16), image.readUInt32BE(20)]
        : webpSize(image);
    return { width, height, orientation: upright };
  } catch (fault) {
    // The header is cut off.
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

function webpSize(image: Buffer): [width: number, height: number] {
  const form = image.toString('latin1', 12, 16);
  if (form === 'VP8X') return [1 + image.readUIntLE(24, 3), 1 + image.readUIntLE(27, 3)];
  if (form === 'VP8L') {
    const bits = image.readUInt32LE(21);
    return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
  }
  return [image.readUInt16LE(26) & 0x3fff, image.readUInt16LE(28) & 0x3fff];
}

/** The marker of EXIF, and the markers that begin a frame (C4, C8 and CC are tables). */
const exifMarker = 0xe1;
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers that do not occur before a frame. */
const hasNoLength = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);

function jpegHeader(image: Buffer): ImageHeader | undefined {
  let orientation = upright;
  for (let at = 2; at + 4 <= image.length; ) {
    if (image[at] !== 0xff) return undefined;
    const marker = image.readUInt8(at + 1);
    // Any number of bytes FF may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (hasNoLength(marker)) return undefined;
    if (isFrame(marker))
      return {
        width: image.readUInt16BE(at + 7),
        height: image.readUInt16BE(at + 5),
        orientation,
      };
    const end = at + 2 + image.readUInt16BE(at + 2);
    if (marker === exifMarker) orientation = orientationOf(image.subarray(at + 4, end));
    at = end;
  }
  return undefined;
}

const widthTag = 0x100;
const heightTag = 0x101;
const orientationTag = 0x112;

/** EXIF is a TIFF file after six bytes. */
function orientationOf(exif: Buffer): number {
  if (exif.toString('latin1', 0, 4) !== 'Exif') return upright;
  const tiff = exif.subarray(6);
  const value = tagsOf(tiff, readersOf(tiff).offset(4))?.get(orientationTag) ?? upright;
  return value >= 1 && value <= 8 ? value : upright;
}

/** The tags of a directory of a TIFF file whose values are single numbers. */
function tagsOf(tiff: Buffer, at: number): Map<number, number> | undefined {
  const { short, offset } = readersOf(tiff);
  if (at < 8 || at + 2 > tiff.length) return undefined;
  const tags = new Map<number, number>();
  const count = short(at);
  for (let index = 0; index < count; index += 1) {
    const entry = at + 2 + 12 * index;
    if (entry + 12 > tiff.length) return undefined;
    const isShort = short(entry + 2) === 3;
    tags.set(short(entry), isShort ? short(entry + 8) : offset(entry + 8));
  }
  return tags;
}

function readersOf(tiff: Buffer) {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  return {
    short: (at: number) => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)),
    offset: (at: number) => (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)),
  };
}

/** A page of a TIFF file, and the position of its directory. The decoder turns it itself. */
export type TiffPage = { width: number; height: number; at: number };

/** The pages of a TIFF file, at most this many. A broken chain of pages ends. */
export function tiffPagesOf(tiff: Buffer, pagesMax: number): TiffPage[] {
  const pages: TiffPage[] = [];
  const positions = new Set<number>();
  try {
    const { short, offset } = readersOf(tiff);
    let at = offset(4);
    while (pages.length < pagesMax && !positions.has(at)) {
      const tags = tagsOf(tiff, at);
      if (!tags) break;
      positions.add(at);
      pages.push({ at, width: tags.get(widthTag) ?? 0, height: tags.get(heightTag) ?? 0 });
      at = offset(at + 2 + 12 * short(at));
    }
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
  }
  return pages;
}

/** Makes this page the first one of the file, because the decoder reads only that. */
export function selectTiffPage(tiff: Buffer, { at }: TiffPage): void {
  if (tiff.toString('latin1', 0, 2) === 'II') tiff.writeUInt32LE(at, 4);
  else tiff.writeUInt32BE(at, 4);
}
