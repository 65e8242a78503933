const carriageReturn = 13;

/**
 * Tells without a parser whether a chunk of a multipart body belongs entirely to the content of the
 * current part. A parser looks at every byte. Nearly every chunk of a large file has no boundary,
 * and a native search finds that out ten times faster.
 */
export class BoundaryDetector {
  readonly #delimiter: Buffer | undefined;
  /** Whether a previous chunk may end with the beginning of a boundary. */
  #mayContinueBoundary = true;

  /**
   * For an unusual boundary it is uncertain how the parser reads it, so then the parser gets every
   * chunk.
   */
  constructor(contentType: string) {
    const [, quoted, plain] =
      /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'+./:?-]{1,70}))\s*$/i.exec(
        contentType,
      ) ?? [];
    const boundary = quoted ?? plain;
    this.#delimiter = boundary === undefined ? undefined : Buffer.from(`\r\n--${boundary}`);
  }

  /** True if the chunk is entirely content of the part; false if the parser must read it. */
  isPartContent(chunk: Uint8Array): boolean {
    if (!this.#delimiter) return false;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const wasBoundaryPossible = this.#mayContinueBoundary;
    // A boundary can be split over many small chunks.
    const mayContinue = wasBoundaryPossible && bytes.length < this.#delimiter.length;
    this.#mayContinueBoundary =
      mayContinue || bytes.includes(this.#delimiter) || endsWithPrefixOf(bytes, this.#delimiter);
    return !wasBoundaryPossible && !this.#mayContinueBoundary;
  }
}

/** Whether these bytes end with the beginning of the delimiter. */
function endsWithPrefixOf(bytes: Buffer, delimiter: Buffer): boolean {
  const first = Math.max(0, bytes.length - delimiter.length + 1);
  for (
    let at = bytes.indexOf(carriageReturn, first);
    at >= 0;
    at = bytes.indexOf(carriageReturn, at + 1)
  ) {
    if (delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return true;
  }
  return false;
}
