export type PdfTextItem = {
  str: string;
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
};
export type PdfLine = { text: string; left: number; right: number; y: number; size: number };

/** Larger letters count as this size, which limits the number of different sizes in memory. */
const sizeMax = 1_000;

/** The lines of a page in reading order. */
export function linesOf(items: readonly PdfTextItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let line: PdfLine | undefined;
  for (const { str, transform, width, height, hasEOL } of items) {
    const [, , , , left = 0, y = 0] = transform;
    if (str !== '') {
      line ??= { text: '', left, right: left, y, size: 0 };
      line.text += str;
      line.left = Math.min(line.left, left);
      line.right = Math.max(line.right, left + width);
      line.size = Math.max(line.size, Math.round(Math.min(height, sizeMax) * 2) / 2);
    }
    if (!hasEOL || !line) continue;
    if (line.text.trim() !== '') lines.push(line);
    line = undefined;
  }
  if (line && line.text.trim() !== '') lines.push(line);
  return lines;
}
