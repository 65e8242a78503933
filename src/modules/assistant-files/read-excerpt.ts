import type { Database } from '../../platform/database/database.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import type { VaultClient } from '../../vault/client.ts';
import type { Passage, TextRange } from '../../vault/passage.ts';
import type { Person } from '../assistants/access.ts';
import type { AssistantFile } from './assistant-file.ts';
import { requireFile } from './require-file.ts';

type ReadExcerpt = {
  assistantId: string;
  documentId: string;
  /** The version whose text is wanted; without it, the one that answers questions now. */
  versionId?: string | null | undefined;
  person: Person;
  stretch: TextRange;
  signal: AbortSignal;
};
type Parts = { database: Database; vault: Pick<VaultClient, 'passagesWithin'> };

export type ExcerptPart = Pick<Passage, 'text' | 'page' | 'headings' | 'start' | 'end'>;
export type Excerpt = {
  file: AssistantFile;
  parts: ExcerptPart[];
  hasEarlier: boolean;
  hasLater: boolean;
};

/** An answer is read by people: 20,000 characters are seven printed pages. */
export const excerptUnitsMax = 20_000;
// A passage that follows begins within so much: none is longer.
const lookAheadUnits = 2_000;

/**
 * The text of a file around a place. Offsets belong to one version: one that is replaced has its
 * text until the new one is COMPLETED.
 */
export async function readExcerpt(
  { person, stretch, signal, versionId, ...place }: ReadExcerpt,
  { database, vault }: Parts,
): Promise<Excerpt> {
  const { start, end } = stretch;
  if (end <= start || end - start > excerptUnitsMax)
    throw inputError(
      'end',
      'OUT_OF_RANGE',
      `end must be greater than start, by at most ${excerptUnitsMax}`,
    );
  const { assistantId, documentId } = place;
  const find = () =>
    requireFile(
      {
        assistantId,
        documentId: versionId ?? documentId,
        orPreviousVersion: versionId != null,
        person,
        level: 'VIEW',
      },
      { database },
    );
  const file = await find();
  const document = versionId ?? (file.status === 'COMPLETED' ? file.id : file.replacesId);
  const passages =
    document === null
      ? undefined
      : await vault.passagesWithin({
          collection: assistantId,
          document,
          start,
          end: end + lookAheadUnits,
          signal,
        });
  if (!passages) throw withoutText(await find());
  const within = passages.filter((passage) => passage.start < end);
  return {
    file,
    parts: withoutRepeats(within),
    hasEarlier: (within[0]?.ordinal ?? 0) > 0,
    hasLater: within.length < passages.length,
  };
}

const withoutText = ({ status, errorMessage }: AssistantFile): AppError =>
  status === 'FAILED'
    ? new AppError(
        'CONFLICT',
        `There is no text of this file: ${errorMessage ?? 'it could not be processed'}`,
      )
    : new AppError('CONFLICT', 'There is no text of this file yet: it is being processed');

/**
 * Passages overlap, so that a sentence on a border is found whole; read one after another they say
 * it twice.
 */
function withoutRepeats(passages: readonly Passage[]): ExcerptPart[] {
  let readTo = 0;
  return passages.flatMap(({ text, page, headings, start, end }) => {
    const from = Math.max(start, readTo);
    if (from >= end) return [];
    readTo = end;
    return [{ text: text.slice(from - start), page, headings, start: from, end }];
  });
}
