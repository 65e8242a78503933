/**
 * The unit of search and citation: `text` is exactly the document's text from `start` to `end`.
 */
export type Passage = {
  /** The position among the document's passages, from 0. */
  ordinal: number;
  text: string;
  /** The page on which the passage begins. */
  page: number | null;
  /** The headings above the passage, outermost first. */
  headings: string[];
  start: number;
  end: number;
};

/** The text whose vector an embedder without a model computes: the headings say what it is about. */
export const textWithHeadings = ({ headings, text }: Pick<Passage, 'headings' | 'text'>): string =>
  [...headings, text].join('\n');

/**
 * A passage with its vector. Vectors of different embedding spaces are never compared.
 */
export type EmbeddedPassage = Passage & { vector: Float32Array };

/** From `start` (inclusive) to `end` (exclusive), in UTF-16 units of a document's text. */
export type TextRange = { start: number; end: number };

/** The longest range that one request for passages may have. */
export const textRangeUnitsMax = 100_000;
/** The largest offset in a document's text. */
export const offsetMax = 2_000_000_000;
