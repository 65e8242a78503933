import type { Database } from '../../platform/database/database.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import type { VaultClient } from '../../vault/client.ts';
import type { Passage, TextRange } from '../../vault/passage.ts';
import type { Person } from '../assistants/access.ts';
import type { AssistantFile } from './assistant-file.ts';
import { requireFile } from './require-file.ts';

export type ExcerptSource = {
  assistantId: string;
  documentId: string;
  /** The version whose text is read. The default is the version that runs search now. */
  versionId?: string | null | undefined;
};
type ReadExcerptInput = ExcerptSource & { range: TextRange; signal: AbortSignal };
type ExcerptDependencies = {
  vault: Pick<VaultClient, 'passagesWithin'>;
  findFile: (source: ExcerptSource) => Promise<AssistantFile>;
};

export type ExcerptPart = Pick<Passage, 'text' | 'page' | 'headings' | 'start' | 'end'>;
export type Excerpt = {
  file: AssistantFile;
  parts: ExcerptPart[];
  hasEarlier: boolean;
  hasLater: boolean;
};

/** People read the answer: 20,000 characters are seven printed pages. */
export const excerptUnitsMax = 20_000;
// No passage is longer than this, so a passage after the range begins within this distance.
const lookAheadUnits = 2_000;

/** Finds the file of an excerpt, if this person may see it. */
export const findExcerptFile = (
  { assistantId, documentId, versionId }: ExcerptSource,
  { person, database }: { person: Person; database: Database },
): Promise<AssistantFile> =>
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

/**
 * Reads the text of a file around a range. Offsets belong to one version: the text of a replaced
 * version is available until the new one is COMPLETED.
 */
export async function readExcerpt(
  { range, signal, ...source }: ReadExcerptInput,
  { vault, findFile }: ExcerptDependencies,
): Promise<Excerpt> {
  const { start, end } = range;
  if (end <= start || end - start > excerptUnitsMax)
    throw inputError(
      'end',
      'OUT_OF_RANGE',
      `end must be greater than start, by at most ${excerptUnitsMax}`,
    );
  const { assistantId, versionId } = source;
  const file = await findFile(source);
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
  if (!passages) throw noTextError(await findFile(source));
  const excerptPassages = passages.filter((passage) => passage.start < end);
  return {
    file,
    parts: withoutOverlap(excerptPassages),
    hasEarlier: (excerptPassages[0]?.ordinal ?? 0) > 0,
    hasLater: excerptPassages.length < passages.length,
  };
}

const noTextError = ({ status, errorMessage }: AssistantFile): AppError =>
  status === 'FAILED'
    ? new AppError(
        'CONFLICT',
        `There is no text of this file: ${errorMessage ?? 'it could not be processed'}`,
        'FILE_WITHOUT_TEXT',
      )
    : new AppError(
        'CONFLICT',
        'There is no text of this file yet: it is being processed',
        'FILE_NOT_READY',
      );

/**
 * Passages overlap, so that a search finds a sentence at their border in one piece. This leaves out
 * the repeated text.
 */
function withoutOverlap(passages: readonly Passage[]): ExcerptPart[] {
  let coveredTo = 0;
  return passages.flatMap(({ text, page, headings, start, end }) => {
    const partStart = Math.max(start, coveredTo);
    if (partStart >= end) return [];
    coveredTo = end;
    return [{ text: text.slice(partStart - start), page, headings, start: partStart, end }];
  });
}
