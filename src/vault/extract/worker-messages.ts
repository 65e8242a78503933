import type { Passage } from '../passage.ts';
import type { ExtractLimits, Source } from './block.ts';
import type { ExtractFault } from './extract-error.ts';

export type ReadLimits = ExtractLimits & {
  /** Passages that one document may have. */
  passagesMax: number;
  /** How long the reader may compute; what it waits for its parent does not count. */
  busyMsMax: number;
  heapMegabytesMax: number;
};

/**
 * What a document is read for: its passages, with vectors of the hashing embedder or without; or
 * its first characters, to be shown whole.
 */
export type Task =
  | { type: 'passages'; embed: 'hashing' | null }
  | { type: 'text'; unitsMax: number };

export type ReaderTask = {
  source: Source;
  limits: ExtractLimits & { passagesMax: number };
  task: Task;
};

export type ReadPassage = Passage & { vector?: Float32Array };
export type Totals = { pages: number | null; characters: number; passages: number };
export type DocumentText = {
  text: string;
  pages: number | null;
  pageStarts: { page: number; start: number }[];
  truncated: boolean;
};

/** As JSON: the numbers of a vector in Base64. */
export const encodeVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/**
 * From the reader, in this order: `opened`, then any number of `batch` or one `text`, then `end`;
 * or a fault at any time.
 */
export type ReaderMessage =
  | { type: 'opened'; mimeType: string; derivation: 'text' | 'markdown' }
  | { type: 'batch'; passages: ReadPassage[] }
  | ({ type: 'text' } & DocumentText)
  | ({ type: 'end' } & Totals)
  | { type: 'refused'; code: ExtractFault }
  | { type: 'unexpected'; name: string }
  | { type: 'system'; code: string };
