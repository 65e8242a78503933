import { open } from 'node:fs/promises';
import { getResolvedPDFJS } from 'unpdf';
import type { Extractor, Source } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { normalizeBlocks } from './normalize-blocks.ts';
import { createParagraphs } from './pdf-paragraphs.ts';

/**
 * Fonts and the like that pages share are let go every so many pages, so that a long document does
 * not gather them.
 */
const pagesBetweenCleanups = 200;

/**
 * PDF, page by page. The build of pdf.js that is used holds no eval and no worker of its own, and
 * it is given no address to fetch fonts or character maps from: nothing but the file is read. What
 * is broken within a page is left out, as programs that show a PDF do; where a page cannot be
 * found, those behind it cannot either, and the file is DAMAGED, so that no half is taken for the
 * whole.
 */
export const readPdf: Extractor = normalizeBlocks(async function* (source, { pagesMax }) {
  const data = await bytesOf(source);
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  const loading = getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
  });
  try {
    const pdf = await loading.promise.catch(refuse);
    const paragraphsOf = createParagraphs();
    for (let number = 1; number <= Math.min(pdf.numPages, pagesMax); number += 1) {
      const page = await pdf.getPage(number).catch(refuse);
      const { items } = await page.getTextContent().catch(refuse);
      for (const block of paragraphsOf(items.filter((item) => 'str' in item)))
        yield { ...block, page: number };
      page.cleanup();
      if (number % pagesBetweenCleanups === 0) await pdf.cleanup();
    }
  } finally {
    await loading.destroy();
  }
});

/** The file, once: pdf.js takes an array over without a copy if nothing else shares its memory. */
async function bytesOf({ path, bytes }: Source) {
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
 * Whatever pdf.js throws over a file that is in memory, from its own classes to a TypeError deep
 * inside, says that it cannot read it.
 */
function refuse(fault: unknown): never {
  throw new ExtractError(
    fault instanceof Error && fault.name === 'PasswordException' ? 'ENCRYPTED' : 'DAMAGED',
  );
}
