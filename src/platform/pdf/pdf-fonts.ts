import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';

/** The fonts of a document, and which characters both of them have. */
export type PdfFonts = {
  regular: Uint8Array;
  bold: Uint8Array;
  characters: ReadonlySet<number>;
};

let loaded: Promise<PdfFonts> | undefined;

/**
 * DejaVu Sans Condensed, which has Latin, Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian letters. Both
 * files together take 1.4 MB; they are read with the first document.
 */
export function loadPdfFonts(): Promise<PdfFonts> {
  loaded ??= readFonts().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function readFonts(): Promise<PdfFonts> {
  const [regular, bold] = await Promise.all([
    readFile(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'))),
    readFile(
      fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
    ),
  ]);
  const inBold = new Set(charactersOf(bold));
  return {
    regular,
    bold,
    characters: new Set(charactersOf(regular).filter((character) => inBold.has(character))),
  };
}

function charactersOf(file: Buffer): number[] {
  const font = create(file);
  if (!('characterSet' in font)) throw new Error('The file is a collection of fonts');
  return font.characterSet;
}
