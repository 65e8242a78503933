/**
 * A piece of a document that is found and quoted: `text` is exactly what stands from `start` to
 * `end` in the document's text.
 */
export type Passage = {
  /** Its place among the document's passages, from 0. */
  ordinal: number;
  text: string;
  /** The page on which it begins. */
  page: number | null;
  /** The headings above it, outermost first. */
  headings: string[];
  start: number;
  end: number;
};

/**
 * A passage in a space of vectors; `embedding` names the space, and vectors of different spaces are
 * never compared.
 */
export type EmbeddedPassage = Passage & { vector: Float32Array };

/** From `start` up to but not including `end`, in UTF-16 units of a document's text. */
export type TextStretch = { start: number; end: number };

/**
 * The most that one question for passages may span, and the last offset that a document's text can
 * have.
 */
export const stretchUnitsMax = 100_000;
export const offsetMax = 2_000_000_000;
