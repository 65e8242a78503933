import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';

/** Pixels of 0 (black) or 255 (white). */
export type Bitmap = { width: number; height: number; pixels: Uint8Array };

const fontFile = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

function loadFont(): Font {
  const loaded = create(readFileSync(fontFile));
  if (!('layout' in loaded)) throw new Error('The file of the font contains several fonts');
  return loaded;
}
const font = loadFont();

/** Draws lines of text in black on white, as a scanner sees a page. */
export function textBitmap(
  lines: readonly string[],
  {
    size = 36,
    margin = 60,
    lineHeight = 2,
  }: { size?: number; margin?: number; lineHeight?: number } = {},
): Bitmap {
  const scale = size / font.unitsPerEm;
  const runs = lines.map((line) => font.layout(line));
  const width = Math.ceil(
    2 * margin + Math.max(...runs.map(({ advanceWidth }) => advanceWidth * scale)),
  );
  const height = Math.ceil(2 * margin + lines.length * lineHeight * size);
  const bitmap = { width, height, pixels: new Uint8Array(width * height).fill(255) };
  for (const [index, run] of runs.entries()) {
    let x = margin;
    const baseline = margin + (index * lineHeight + 1) * size;
    for (const [at, glyph] of run.glyphs.entries()) {
      fill(bitmap, edgesOf(glyph.path.commands, x, baseline, scale));
      x += (run.positions[at]?.xAdvance ?? 0) * scale;
    }
  }
  return bitmap;
}

type Edge = [x1: number, y1: number, x2: number, y2: number];
type Command = Font['glyphsForString'] extends (text: string) => (infer Glyph)[]
  ? Glyph extends { path: { commands: (infer One)[] } }
    ? One
    : never
  : never;

/** The outline of a glyph as straight lines. Curves are cut into eight. */
function edgesOf(commands: readonly Command[], left: number, baseline: number, scale: number) {
  const edges: Edge[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number) => {
    edges.push([
      left + x * scale,
      baseline - y * scale,
      left + toX * scale,
      baseline - toY * scale,
    ]);
    [x, y] = [toX, toY];
  };
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args;
    if (command === 'moveTo') [x, y, startX, startY] = [a, b, a, b];
    if (command === 'lineTo') lineTo(a, b);
    if (command === 'quadraticCurveTo') {
      const [fromX, fromY] = [x, y];
      for (let step = 1; step <= 8; step += 1) {
        const t = step / 8;
        lineTo(
          (1 - t) ** 2 * fromX + 2 * t * (1 - t) * a + t * t * c,
          (1 - t) ** 2 * fromY + 2 * t * (1 - t) * b + t * t * d,
        );
      }
    }
    if (command === 'closePath') lineTo(startX, startY);
  }
  return edges;
}

/** Blackens the pixels that are inside the outline by the rule of windings. */
function fill({ width, height, pixels }: Bitmap, edges: readonly Edge[]) {
  const ys = edges.flatMap(([, y1, , y2]) => [y1, y2]);
  const bottom = Math.min(height, Math.ceil(Math.max(...ys, 0)));
  for (let row = Math.max(0, Math.floor(Math.min(...ys, height))); row < bottom; row += 1) {
    const y = row + 0.5;
    const crossings = edges
      .filter(([, y1, , y2]) => y1 <= y !== y2 <= y)
      .map(([x1, y1, x2, y2]) => ({
        x: x1 + ((y - y1) / (y2 - y1)) * (x2 - x1),
        winding: y2 > y1 ? 1 : -1,
      }))
      .toSorted((one, other) => one.x - other.x);
    let winding = 0;
    for (const [at, crossing] of crossings.entries()) {
      winding += crossing.winding;
      const end = crossings[at + 1]?.x ?? crossing.x;
      if (winding !== 0)
        pixels.fill(
          0,
          row * width + Math.max(0, Math.round(crossing.x)),
          row * width + Math.min(width, Math.round(end)),
        );
    }
  }
}

/** Turns an image by a quarter, clockwise. */
export function quarterTurn({ width, height, pixels }: Bitmap): Bitmap {
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      turned[x * height + (height - 1 - y)] = pixels[y * width + x] ?? 255;
  return { width: height, height: width, pixels: turned };
}

export const halfTurn = ({ width, height, pixels }: Bitmap): Bitmap => ({
  width,
  height,
  pixels: pixels.toReversed(),
});

/** A PNG file in gray. `declared` is the size that its header states. */
export function pngFile(
  { width, height, pixels }: Bitmap,
  declared: { width: number; height: number } = { width, height },
): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(declared.width, 0);
  header.writeUInt32BE(declared.height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** One bit for each pixel, in rows of whole bytes; 1 is white. */
export function packedBits({ width, height, pixels }: Bitmap): Buffer {
  const rowBytes = Math.ceil(width / 8);
  const bits = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (pixels[y * width + x] === 255) {
        const at = y * rowBytes + (x >> 3);
        bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
      }
  return bits;
}

/** A TIFF file without compression and with one page for each image. */
export function tiffFile(images: readonly Bitmap[]): Buffer {
  const parts: Buffer[] = [Buffer.from('II*\0', 'latin1'), Buffer.alloc(4)];
  let length = 8;
  let pointer = { part: 1, at: 0 };
  for (const image of images) {
    const bits = packedBits(image);
    const data = bits.length % 2 === 0 ? bits : Buffer.concat([bits, Buffer.alloc(1)]);
    const tags: [tag: number, value: number][] = [
      [256, image.width],
      [257, image.height],
      [258, 1],
      [259, 1],
      [262, 1],
      [273, length],
      [277, 1],
      [278, image.height],
      [279, bits.length],
    ];
    const directory = Buffer.alloc(2 + 12 * tags.length + 4);
    directory.writeUInt16LE(tags.length, 0);
    for (const [index, [tag, value]] of tags.entries()) {
      directory.writeUInt16LE(tag, 2 + 12 * index);
      directory.writeUInt16LE(4, 4 + 12 * index);
      directory.writeUInt32LE(1, 6 + 12 * index);
      directory.writeUInt32LE(value, 10 + 12 * index);
    }
    parts[pointer.part]?.writeUInt32LE(length + data.length, pointer.at);
    parts.push(data, directory);
    pointer = { part: parts.length - 1, at: 2 + 12 * tags.length };
    length += data.length + directory.length;
  }
  return Buffer.concat(parts);
}
