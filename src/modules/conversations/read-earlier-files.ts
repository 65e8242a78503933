import type { Upload } from '../../http/upload.ts';
import { InputError } from '../../platform/errors.ts';
import { StoredObjectMissing } from '../../platform/storage/stored-object.ts';
import type { FoundPassage } from '../runs/passages.ts';
import { runLimits } from '../runs/run-limits.ts';

/** Reads files into passages. */
export type ReadFiles = (uploads: readonly Upload[]) => Promise<FoundPassage[]>;

type EarlierFiles = {
  /** The files of earlier questions, oldest first. */
  uploads: readonly Upload[];
  /** The passages of the files of this question. */
  passages: readonly FoundPassage[];
};

const earlierFilesMax = 10;
/** Passages are told apart by their ordinals, and files can have the same name. */
const ordinalsPerFile = 1_000_000_000;

/** Reads the newest files of earlier questions, until the limit for the text of a run is reached. */
export async function readEarlierFiles(
  { uploads, passages }: EarlierFiles,
  read: ReadFiles,
): Promise<FoundPassage[]> {
  const found: FoundPassage[] = [];
  let characters = charactersOf(passages);
  for (const [index, upload] of uploads.slice(-earlierFilesMax).toReversed().entries()) {
    const earlier = await read([upload]).catch((error: unknown) => {
      if (error instanceof InputError || error instanceof StoredObjectMissing) return [];
      throw error;
    });
    characters += charactersOf(earlier);
    if (characters > runLimits.fileCharacters) break;
    found.push(
      ...earlier.map((passage) => ({
        ...passage,
        ordinal: passage.ordinal + (index + 1) * ordinalsPerFile,
      })),
    );
  }
  return found;
}

const charactersOf = (passages: readonly FoundPassage[]): number =>
  passages.reduce((sum, { text }) => sum + text.length, 0);
