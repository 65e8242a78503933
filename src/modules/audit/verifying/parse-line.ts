import { z } from 'zod';
import { hashHex } from '../sealing/merkle-tree.ts';
import { hashLine } from '../sealing/sealed-entry.ts';

/** A line of an export. `hash` is what it says, and `isWhole` whether its content has this hash. */
export type EntryLine = {
  number: number;
  id: string | null;
  position: number | null;
  hash: string | null;
  isWhole: boolean;
};

/** Reads a line that is to be an entry. */
export function parseEntryLine(text: string, number: number): EntryLine {
  const parsed = parseObject(text);
  if (!parsed) {
    const [, hash = null] = /"leafHash":"([0-9a-f]{64})"\}$/.exec(text) ?? [];
    return { number, id: null, position: null, hash, isWhole: false };
  }
  const { leafHash, ...content } = parsed;
  const { id, position } = content;
  const hash = typeof leafHash === 'string' && hashHex.test(leafHash) ? leafHash : null;
  return {
    number,
    id: typeof id === 'string' ? id : null,
    position: Number.isSafeInteger(position) ? Number(position) : null,
    hash,
    // The text has no other form, so a change that leaves the content alone is found as well.
    isWhole:
      hash !== null &&
      JSON.stringify(parsed) === text &&
      hashLine(content).toString('hex') === hash,
  };
}

export const checkpointSchema = z.object({
  organizationId: z.string(),
  size: z.int().positive(),
  root: z.string().regex(hashHex),
  at: z.string(),
  previousRoot: z.string().regex(hashHex).nullable(),
  jws: z.string(),
});

const endSchema = z.object({
  first: z.int().nonnegative(),
  entries: z.int().nonnegative(),
  before: z.array(z.string().regex(hashHex)),
  after: z.array(z.string().regex(hashHex)),
  checkpoint: checkpointSchema,
});
export type EndLine = z.output<typeof endSchema>;

/** Reads the end of an export; null if the line is none. */
export function parseEndLine(text: string): EndLine | null {
  const parsed = endSchema.strict().safeParse(parseObject(text));
  return parsed.success && JSON.stringify(parsed.data) === text ? parsed.data : null;
}

export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
