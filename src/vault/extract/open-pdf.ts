import { open } from 'node:fs/promises';
import { getResolvedPDFJS } from 'unpdf';
import type { SourceFile } from './block.ts';
import { ExtractError } from './extract-error.ts';

/**
 * Opens a PDF. The bundled build of pdf.js contains no eval and no worker, and it gets no address for
 * fonts or character maps, so it reads only the file. Images with more pixels than this are not
 * decoded.
 */
export async function openPdf(data: Uint8Array, pixelsMax: number) {
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  return getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    maxImageSize: pixelsMax,
  });
}

/**
 * Reads the whole file. pdf.js uses the array without a copy because nothing else shares its
 * memory.
 */
export async function bytesOf({ path, bytes }: SourceFile) {
  const data = new Uint8Array(bytes);
  const file = await open(path);
  try {
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(data, at);
      if (bytesRead === 0) throw new ExtractError('DAMAGED');
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  return data;
}

/**
 * Everything that pdf.js throws for a file in memory, from its own errors to a TypeError deep
 * inside, means that it cannot read the file.
 */
export function throwExtractError(fault: unknown): never {
  throw new ExtractError(
    fault instanceof Error && fault.name === 'PasswordException' ? 'ENCRYPTED' : 'DAMAGED',
  );
}
