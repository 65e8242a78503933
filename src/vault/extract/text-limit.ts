/**
 * Text per byte of the file. A workbook packs 20 to 50 times and repeats a column's name in each
 * row; a survey in CSV with questions as column names and one digit per answer reaches 50. More
 * than that is made to be large.
 */
const unitsPerByteMax = 64;
/** Any file may have this much text, so that the ratio does not count for small ones. */
const unitsAlways = 1024 * 1024;
/**
 * Passages hold about 1,400 units. Short pages and sections make more passages of the same text,
 * never this many.
 */
const unitsPerPassageMin = 1024;

/** The most text that a file of this size may have. */
export const textUnitsMaxOf = (bytes: number, { textUnitsMax }: { textUnitsMax: number }): number =>
  Math.min(textUnitsMax, Math.max(unitsAlways, bytes * unitsPerByteMax));

/** The most passages that a file of this size may have. */
export const passagesMaxOf = (
  bytes: number,
  limits: { textUnitsMax: number; passagesMax: number },
): number =>
  Math.min(
    limits.passagesMax,
    Math.ceil(Math.max(unitsAlways, bytes * unitsPerByteMax) / unitsPerPassageMin),
  );
