import { randomUUID } from 'node:crypto';
import type { Upload } from '../../graph/upload.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import { type VaultClient, VaultRefusal } from '../../vault/client.ts';
import type { FoundPassage } from './passages.ts';
import { runLimits } from './run-limits.ts';

type Parts = { vault: Pick<VaultClient, 'extract'>; signal: AbortSignal };
type SentFile = ReadText & { originalName: string };
type ReadText = {
  text: string;
  truncated: boolean;
  pageStarts: readonly { page: number; start: number }[];
};

const passageCharacters = 1_600;
const filesAtOnce = 4;

/**
 * The text of files that were sent with a run, in passages. Nothing of them is kept. One that
 * cannot be read is named.
 */
export async function readSentFiles(
  uploads: readonly Upload[],
  parts: Parts,
): Promise<FoundPassage[]> {
  if (uploads.length > runLimits.files)
    throw inputError(
      'files',
      'TOO_LONG',
      `files must be at most ${runLimits.files} files, but are ${uploads.length}`,
    );
  const files = await readInParallel(uploads, parts);
  let characters = 0;
  for (const [place, { originalName, text, truncated }] of files.entries()) {
    characters += text.length;
    if (truncated || characters > runLimits.fileCharacters) {
      throw inputError(
        `files[${place}]`,
        'TOO_LONG',
        `${originalName}: together the files of a run must not have more than ${runLimits.fileCharacters} characters of text`,
      );
    }
  }
  // Two files may have one name: the place keeps their passages apart.
  return files.flatMap(({ originalName, ...file }, place) =>
    passagesOf(file).map((passage, index) => ({
      ...{ ...passage, documentId: null, versionId: null, isPreviousVersion: false, originalName },
      ...{ ordinal: place * 1_000_000 + index, headings: [], score: 1 },
    })),
  );
}

/**
 * Some files at a time, in their order; no more are begun once those that were read have too much
 * text. The first that cannot be read ends the others, and none is still being read when its error
 * is thrown.
 */
async function readInParallel(
  uploads: readonly Upload[],
  { vault, signal }: Parts,
): Promise<SentFile[]> {
  // One sender has sent them together: the vault may read them in one process.
  const batch = uploads.length > 1 ? randomUUID() : undefined;
  const files: SentFile[] = [];
  const failed = new AbortController();
  const runSignal = AbortSignal.any([signal, failed.signal]);
  let characters = 0;
  const waiting = uploads.entries();
  const readNext = async () => {
    for (const [place, upload] of waiting) {
      if (failed.signal.aborted || characters > runLimits.fileCharacters) return;
      try {
        const { originalName, content } = await upload.open();
        const body = limited(content, originalName);
        const file = await vault
          .extract({ body, batch, charactersMax: runLimits.fileCharacters, signal: runSignal })
          .catch((error: unknown) => {
            throw error instanceof VaultRefusal
              ? inputError(`files[${place}]`, 'INVALID', `${originalName}: ${error.message}`)
              : error;
          });
        files[place] = { ...file, originalName };
        characters += file.text.length;
      } catch (error) {
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, readNext));
  failed.signal.throwIfAborted();
  return files;
}

async function* limited(
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

/** Cut at pages, and within a page where a reader would. */
function passagesOf({
  text,
  pageStarts,
}: Omit<ReadText, 'truncated'>): Pick<FoundPassage, 'text' | 'page' | 'start' | 'end'>[] {
  const pages = pageStarts.length > 0 ? pageStarts : [{ page: null, start: 0 }];
  return pages.flatMap(({ page, start }, index) => {
    const pageEnd = pages[index + 1]?.start ?? text.length;
    const cut: Pick<FoundPassage, 'text' | 'page' | 'start' | 'end'>[] = [];
    for (let from = start; from < pageEnd; ) {
      const end = endOf(text, from, pageEnd);
      const piece = text.slice(from, end);
      if (piece.trim() !== '') cut.push({ text: piece, page, start: from, end });
      from = end;
    }
    return cut;
  });
}

function endOf(text: string, start: number, limit: number): number {
  if (limit - start <= passageCharacters) return limit;
  const stretch = text.slice(start, start + passageCharacters);
  for (const border of ['\n\n', '\n', '. ', ' ']) {
    const at = stretch.lastIndexOf(border);
    if (at > passageCharacters / 2) return start + at + border.length;
  }
  const end = start + passageCharacters;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
