import { randomUUID } from 'node:crypto';
import type { Context } from '../../access/context.ts';
import type { Upload } from '../../http/upload.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import { type VaultClient, VaultRefusal } from '../../vault/client.ts';
import { toRunError } from './full-disk.ts';
import type { FoundPassage } from './passages.ts';
import { runLimits } from './run-limits.ts';

type ReadDependencies = {
  vault: Pick<VaultClient, 'extract'>;
  signal: AbortSignal;
  /** Called when all files have arrived. It throws if the sender has lost access meanwhile. */
  currentViewer?: Context['currentViewer'] | undefined;
};
type ReadFile = ExtractedText & { originalName: string };
type ExtractedText = {
  text: string;
  truncated: boolean;
  pageStarts: readonly { page: number; start: number }[];
};

const passageCharacters = 1_600;
const filesAtOnce = 4;

/**
 * Extracts the text of the files that were sent with a run and splits it into passages. The files
 * are not stored. The error for a file that cannot be read names the file.
 */
export async function readSentFiles(
  uploads: readonly Upload[],
  dependencies: ReadDependencies,
): Promise<FoundPassage[]> {
  if (uploads.length > runLimits.files)
    throw inputError(
      'files',
      'TOO_LONG',
      `files must be at most ${runLimits.files} files, but are ${uploads.length}`,
    );
  const files = await readInParallel(uploads, dependencies);
  await dependencies.currentViewer?.();
  let characters = 0;
  for (const [fileIndex, { originalName, text, truncated }] of files.entries()) {
    characters += text.length;
    if (truncated || characters > runLimits.fileCharacters) {
      throw inputError(
        `files[${fileIndex}]`,
        'TOO_LONG',
        `${originalName}: together the files of a run must not have more than ${runLimits.fileCharacters} characters of text`,
        'SENT_FILES_TOO_LONG',
      );
    }
  }
  // Two files may have the same name. The file index in the ordinal keeps their passages apart.
  return files.flatMap(({ originalName, ...file }, fileIndex) =>
    passagesOf(file).map((passage, index) => ({
      ...passage,
      documentId: null,
      versionId: null,
      isPreviousVersion: false,
      originalName,
      ordinal: fileIndex * 1_000_000 + index,
      headings: [],
      score: 1,
    })),
  );
}

/**
 * Reads several files at a time and returns them in their order. It starts no further file once the
 * files read so far exceed the limit for text. The first file that cannot be read cancels the
 * others; the function throws its error once all reads have ended.
 */
async function readInParallel(
  uploads: readonly Upload[],
  { vault, signal }: ReadDependencies,
): Promise<ReadFile[]> {
  // The files have one sender, so the vault may read them in one process.
  const batch = uploads.length > 1 ? randomUUID() : undefined;
  const files: ReadFile[] = [];
  const failure = new AbortController();
  const runSignal = AbortSignal.any([signal, failure.signal]);
  let characters = 0;
  const queue = uploads.entries();
  const readNext = async () => {
    for (const [fileIndex, upload] of queue) {
      if (failure.signal.aborted || characters > runLimits.fileCharacters) return;
      const field = `files[${fileIndex}]`;
      try {
        const { originalName, content } = await upload.open(field);
        const body = limitBytes(content, originalName);
        const file = await vault
          .extract({ body, batch, charactersMax: runLimits.fileCharacters, signal: runSignal })
          .catch((error: unknown) => {
            throw error instanceof VaultRefusal
              ? inputError(
                  field,
                  'INVALID',
                  `${originalName}: ${error.message}`,
                  'SENT_FILE_UNREADABLE',
                )
              : error;
          });
        files[fileIndex] = { ...file, originalName };
        characters += file.text.length;
      } catch (error) {
        failure.abort(toRunError(error));
      }
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, readNext));
  failure.signal.throwIfAborted();
  return files;
}

async function* limitBytes(
  content: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > runLimits.fileBytes)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `${name} is larger than ${runLimits.fileBytes} bytes`,
      );
    yield chunk;
  }
}

/** Splits the text at pages, and within a page at a paragraph, line, sentence or word. */
function passagesOf({
  text,
  pageStarts,
}: Omit<ExtractedText, 'truncated'>): Pick<FoundPassage, 'text' | 'page' | 'start' | 'end'>[] {
  const pages = pageStarts.length > 0 ? pageStarts : [{ page: null, start: 0 }];
  return pages.flatMap(({ page, start }, index) => {
    const pageEnd = pages[index + 1]?.start ?? text.length;
    const passages: Pick<FoundPassage, 'text' | 'page' | 'start' | 'end'>[] = [];
    for (let passageStart = start; passageStart < pageEnd; ) {
      const end = findPassageEnd(text, passageStart, pageEnd);
      const passageText = text.slice(passageStart, end);
      if (passageText.trim() !== '')
        passages.push({ text: passageText, page, start: passageStart, end });
      passageStart = end;
    }
    return passages;
  });
}

function findPassageEnd(text: string, start: number, limit: number): number {
  if (limit - start <= passageCharacters) return limit;
  const window = text.slice(start, start + passageCharacters);
  for (const separator of ['\n\n', '\n', '. ', ' ']) {
    const separatorIndex = window.lastIndexOf(separator);
    if (separatorIndex > passageCharacters / 2) return start + separatorIndex + separator.length;
  }
  const end = start + passageCharacters;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
