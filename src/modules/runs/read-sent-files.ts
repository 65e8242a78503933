import type { Upload } from '../../graph/upload.ts';
import { AppError, inputError } from '../../platform/errors.ts';
import { type VaultClient, VaultRefusal } from '../../vault/client.ts';
import type { FoundPassage } from './passages.ts';
import { runLimits } from './run-limits.ts';

type Parts = { vault: Pick<VaultClient, 'extract'>; signal: AbortSignal };
type Read = { text: string; pageStarts: readonly { page: number; start: number }[] };

const passageCharacters = 1_600;

/** The text of files that were sent with a run, in passages. Nothing of them is kept. One that cannot be read is named. */
export async function readSentFiles(uploads: readonly Upload[], { vault, signal }: Parts): Promise<FoundPassage[]> {
  if (uploads.length > runLimits.files) throw inputError('files', 'TOO_LONG', `files must be at most ${runLimits.files} files, but are ${uploads.length}`);
  const passages: FoundPassage[] = [];
  let left: number = runLimits.fileCharacters;
  // They come one after another in one body.
  for (const [place, upload] of uploads.entries()) {
    const { originalName, content } = await upload.open();
    const read = await vault.extract({ body: limited(content, originalName), charactersMax: Math.max(left, 1), signal }).catch((error: unknown) => {
      throw error instanceof VaultRefusal ? inputError(`files[${place}]`, 'INVALID', `${originalName}: ${error.message}`) : error;
    });
    if (read.truncated || read.text.length > left) {
      throw inputError(
        `files[${place}]`,
        'TOO_LONG',
        `${originalName}: together the files of a run must not have more than ${runLimits.fileCharacters} characters of text`,
      );
    }
    left -= read.text.length;
    // Two files may have one name: the place keeps their passages apart.
    passages.push(
      ...passagesOf(read).map((passage, index) => ({
        ...{ ...passage, documentId: null, versionId: null, isPreviousVersion: false, originalName },
        ...{ ordinal: place * 1_000_000 + index, headings: [], score: 1 },
      })),
    );
  }
  return passages;
}

async function* limited(content: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > runLimits.fileBytes) throw new AppError('PAYLOAD_TOO_LARGE', `${name} is larger than ${runLimits.fileBytes} bytes`);
    yield chunk;
  }
}

/** Cut at pages, and within a page where a reader would. */
function passagesOf({ text, pageStarts }: Read): Pick<FoundPassage, 'text' | 'page' | 'start' | 'end'>[] {
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
