import type { ZipArchive } from './zip.ts';

export type MergedCells = ReadonlyMap<string, { rows: number; columns: number }>;

/**
 * Merged cells are listed after the rows, so the sheet is unpacked once more for them. In a larger
 * sheet each cell counts as one of its own.
 */
const sheetBytesMax = 64 * 1024 * 1024;
/** Merged cells are needed for heads only. */
const headRowsMax = 100;
const columnsMax = 200;
const mergedCellMax = 200;
const mergedCell =
  /<(?:\w+:)?mergeCell\s[^>]{0,100}?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g;

/** The merged cells in the first rows of a sheet, by the reference of their first cell. */
export async function mergedCellsOf(zip: ZipArchive, part: string): Promise<MergedCells> {
  const merged = new Map<string, { rows: number; columns: number }>();
  if (zip.bytesOf(part) > sheetBytesMax) return merged;
  let text = '';
  for await (const chunk of zip.read(part)) {
    text += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    for (const [, left = '', top, right = '', bottom] of text.matchAll(mergedCell)) {
      const rows = Number(bottom) - Number(top) + 1;
      const columns = columnNumberOf(right) - columnNumberOf(left) + 1;
      if (Number(top) <= headRowsMax && rows >= 1 && columns >= 1 && columns <= columnsMax)
        merged.set(`${left}${top}`, { rows, columns });
    }
    // The next chunk can begin inside a merged cell.
    text = text.slice(-mergedCellMax);
  }
  return merged;
}

/** The number of a column: "AB" is 28. */
export function columnNumberOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}
