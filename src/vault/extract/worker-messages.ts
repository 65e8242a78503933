import type { Passage } from '../passage.ts';
import type { ExtractLimits, SourceFile } from './block.ts';
import type { ExtractFault } from './extract-error.ts';
import type { NoticeCount } from './notices.ts';

export type ReadLimits = ExtractLimits & {
  /** The number of passages of one document. */
  passagesMax: number;
  /** The time that the reader may compute; waiting for its parent does not count. */
  busyMsMax: number;
  heapMegabytesMax: number;
};

/**
 * The purpose of reading a document: its passages, with or without vectors of the hashing embedder;
 * or the beginning of its text.
 */
export type ReaderTask =
  | { type: 'passages'; embed: 'hashing' | null }
  | { type: 'text'; unitsMax: number };

export type ReaderRequest = {
  source: SourceFile;
  limits: ExtractLimits & { passagesMax: number };
  task: ReaderTask;
};

export type ReadPassage = Passage & { vector?: Float32Array };
export type DocumentTotals = {
  pages: number | null;
  characters: number;
  passages: number;
  notices: NoticeCount[];
};
export type DocumentText = {
  text: string;
  pages: number | null;
  pageStarts: { page: number; start: number }[];
  truncated: boolean;
};

/**
 * Messages from the reader, in this order: `opened`, then any number of `batch` or one `text`, then
 * `end`; or a failure at any time.
 */
export type ReaderMessage =
  | { type: 'opened'; mimeType: string; derivation: 'text' | 'markdown' }
  | { type: 'batch'; passages: ReadPassage[] }
  | ({ type: 'text' } & DocumentText)
  | ({ type: 'end' } & DocumentTotals)
  | { type: 'refused'; code: ExtractFault }
  | { type: 'unexpected'; name: string }
  | { type: 'system'; code: string };
