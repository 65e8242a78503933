/**
 * A stretch of a document in reading order. The text of a document is its blocks, each with its
 * joint before it (none before the first). All offsets count UTF-16 units in that text, which is
 * never held whole: blocks come one by one.
 */
export type Block = {
  kind: 'heading' | 'paragraph' | 'row' | 'code';
  /**
   * Not empty, without NUL, at most `blockUnitsMax` long: longer ones are cut by who reads them and
   * go on with the joint ''.
   */
  text: string;
  /** 1 to 6; headings only. */
  level?: number;
  /** From 1; absent where the kind of file has no pages. A slide or a sheet counts as a page. */
  page?: number;
  /** What stands between the block before and this one; absent: a blank line. */
  joint?: '' | '\n';
};

export const blockUnitsMax = 16_384;
export const jointOf = ({ joint }: Block): string => joint ?? '\n\n';

/**
 * A file on disk that is to be read. Its name is not known here: the content alone tells the kind.
 */
export type Source = { path: string; bytes: number };

export type ExtractLimits = {
  /** Bytes that a packed file may unpack to, over all its parts. */
  unpackedBytesMax: number;
  /** Parts that a packed file may have. */
  partsMax: number;
  /** Pages of which the text is read. */
  pagesMax: number;
  /** UTF-16 units of text that one document may have, however large its file is. */
  textUnitsMax: number;
};

/** Reads one kind of file. What it cannot read it refuses with an ExtractError. */
export type Extractor = (source: Source, limits: ExtractLimits) => AsyncGenerator<Block>;
