import type { Passage } from '../passage.ts';
import type { ExtractLimits, Source } from './block.ts';
import type { ExtractFault } from './extract-error.ts';

export type ReadLimits = ExtractLimits & {
  /** How long the worker may compute; what it waits for its reader does not count. */
  busyMsMax: number;
  heapMegabytesMax: number;
};

/** What a document is read for: its passages, with vectors of the hashing embedder or without; or its first characters, to be shown whole. */
export type Task = { type: 'passages'; embed: 'hashing' | null } | { type: 'text'; unitsMax: number };

export type WorkerData = { source: Source; limits: ExtractLimits; task: Task };

export type ReadPassage = Passage & { vector?: Float32Array };
export type Totals = { pages: number | null; characters: number; passages: number };
export type DocumentText = { text: string; pages: number | null; pageStarts: { page: number; start: number }[]; truncated: boolean };

/** From the worker, in this order: `opened`, then any number of `batch` or one `text`, then `end`; or a fault at any time. */
export type WorkerMessage =
  | { type: 'opened'; mimeType: string; derivation: 'text' | 'markdown' }
  | { type: 'batch'; passages: ReadPassage[] }
  | ({ type: 'text' } & DocumentText)
  | ({ type: 'end' } & Totals)
  | { type: 'refused'; code: ExtractFault }
  | { type: 'unexpected'; name: string }
  | { type: 'system'; code: string };
