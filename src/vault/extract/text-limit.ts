/**
 * The maximum of text per byte of the file. A workbook compresses 20 to 50 times and repeats column
 * names in each row; a CSV survey with questions as column names and one digit per answer reaches
 * 50. Higher ratios occur only in files that are made to be large.
 */
const unitsPerByteMax = 64;
/** Every file may have this much text, so that the ratio does not limit small files. */
const unitsAlwaysAllowed = 1024 * 1024;
/**
 * Passages have about 1,400 units. Short pages and sections lead to more passages for the same
 * text, but never to one per this many units.
 */
const unitsPerPassageMin = 1024;

/** Returns the maximum of text for a file of this size. */
export const textUnitsMaxOf = (bytes: number, { textUnitsMax }: { textUnitsMax: number }): number =>
  Math.min(textUnitsMax, Math.max(unitsAlwaysAllowed, bytes * unitsPerByteMax));

/** Returns the maximum number of passages for a file of this size. */
export const passagesMaxOf = (
  bytes: number,
  limits: { textUnitsMax: number; passagesMax: number },
): number =>
  Math.min(
    limits.passagesMax,
    Math.ceil(Math.max(unitsAlwaysAllowed, bytes * unitsPerByteMax) / unitsPerPassageMin),
  );
