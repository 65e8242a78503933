import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import createTesseract from 'tesseract.js-core/tesseract-core-simd-lstm.js';

/** Values of Tesseract: only the neural network, and pages with any layout. */
const lstmOnly = 1;
const automaticLayout = 3;
const languageFiles = {
  deu: import.meta.resolve('@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz'),
  eng: import.meta.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
};

export type Tesseract = Awaited<ReturnType<typeof loadTesseract>>;

/**
 * Loads Tesseract and its data for German and English, about 70 MB of memory. It is called directly,
 * because the package tesseract.js needs threads, which the reader of a document does not have.
 */
export async function loadTesseract() {
  const module = await createTesseract({ print: () => {}, printErr: () => {} });
  for (const [language, file] of Object.entries(languageFiles)) {
    const data = await promisify(gunzip)(await readFile(fileURLToPath(file)));
    module.FS.writeFile(`/${language}.traineddata`, data);
  }
  const api = new module.TessBaseAPI();
  if (api.Init('/', Object.keys(languageFiles).join('+'), lstmOnly) !== 0)
    throw new Error('Tesseract could not be loaded');
  api.SetPageSegMode(automaticLayout);

  return {
    /**
     * Returns the recognized words as a table of Tesseract, or undefined if the image cannot be
     * decoded. `orientation` is the value of EXIF, from 1 to 8.
     */
    recognize(image: Uint8Array, orientation: number): string | undefined {
      module.FS.writeFile('/input', image);
      try {
        if (api.SetImageFile(orientation, 0) !== 0) return undefined;
        if (api.Recognize(null) !== 0) return undefined;
        return api.GetTSVText(0);
      } finally {
        api.Clear();
        module.FS.unlink('/input');
      }
    },
    end: () => api.End(),
  };
}
