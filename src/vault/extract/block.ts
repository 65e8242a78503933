import type { NoticeCode } from './notices.ts';

/**
 * A part of a document's text in reading order. The text of a document consists of its blocks, each
 * preceded by its separator (except the first). All offsets count UTF-16 units in this text. The
 * whole text is never in memory, because blocks are processed one at a time.
 */
export type TextBlock = {
  kind: 'heading' | 'paragraph' | 'row' | 'code';
  /**
   * Not empty, without NUL, at most `blockUnitsMax` long. A longer text is split, and its further
   * blocks have the separator ''.
   */
  text: string;
  /** 1 to 6; headings only. */
  level?: number;
  /** From 1; absent for kinds of files without pages. A slide or a sheet counts as a page. */
  page?: number;
  /** The text between the previous block and this one; default: a blank line. */
  separator?: '' | '\n';
};

export const blockUnitsMax = 16_384;
export const separatorOf = ({ separator }: TextBlock): string => separator ?? '\n\n';

/** A file on disk. It has no name here, because its kind is detected from its content alone. */
export type SourceFile = { path: string; bytes: number };

export type ExtractLimits = {
  /** The total unpacked size of all parts of a packed file. */
  unpackedBytesMax: number;
  /** The number of parts of a packed file. */
  partsMax: number;
  /** The number of pages whose text is read. */
  pagesMax: number;
  /** The length of a document's text in UTF-16 units, however large the file is. */
  textUnitsMax: number;
  /** The limits of recognizing text in images; absent if that is turned off. */
  recognition?: RecognitionLimits | undefined;
};

export type RecognitionLimits = {
  /** The number of pages and images of one document that are recognized. */
  pagesMax: number;
  /** The time for them together, in addition to the time for the rest of the document. */
  msMax: number;
  /** The size of one image; a larger one is not decoded. */
  pixelsMax: number;
};

/** Recognizes the text of the images of one document within its limits. */
export type Recognizer = {
  pixelsMax: number;
  /** Whether the limits allow another page. */
  hasCapacity: () => boolean;
  /** Runs the work for one page and counts its time, including the time to decode its images. */
  measure: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /**
   * The paragraphs of an image file; undefined if it cannot be decoded. `orientation` is the value of
   * EXIF, from 1 to 8.
   */
  recognize: (image: Uint8Array, orientation?: number) => Promise<TextBlock[] | undefined>;
  /** Releases memory. */
  end: () => void;
};

/** Counts what of a document is not read, although the document as a whole is. */
export type NoticeCounts = Map<NoticeCode, number>;
export type ExtractContext = ExtractLimits & {
  notices?: NoticeCounts;
  /** Recognizes the text of images; absent if that is turned off. */
  recognizer?: Recognizer | undefined;
};

export function addNotice(notices: NoticeCounts | undefined, code: NoticeCode): void {
  notices?.set(code, (notices.get(code) ?? 0) + 1);
}

/** Reads one kind of file. Throws an ExtractError if it cannot read the file. */
export type Extractor = (source: SourceFile, context: ExtractContext) => AsyncGenerator<TextBlock>;
