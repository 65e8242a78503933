import type { RecognitionLimits, Recognizer } from '../block.ts';
import { joinLines } from '../join-lines.ts';
import { type RecognizedPage, recognizedTextOf } from './recognized-text.ts';
import type { Tesseract } from './tesseract.ts';

/** The orientation of EXIF that turns an image by 180 degrees. */
const upsideDown = 3;
/** Words that are upside down are less certain than this: about 35, others 80 or more. */
const uprightConfidenceMin = 60;
/** A photo without text has fewer words, so that it is not recognized twice. */
const wordsToTurnMin = 8;

/**
 * Recognizes the text of the images of one document within its limits. The engine is loaded with the
 * first image, because it takes 0.2 s and about 70 MB.
 */
export function createRecognizer(limits: RecognitionLimits): Recognizer {
  let engine: Tesseract | undefined;
  let images = 0;
  let usedMs = 0;

  /** Undefined if the image cannot be decoded, or the engine has failed on it. */
  async function recognizeOnce(
    image: Uint8Array,
    orientation: number,
  ): Promise<RecognizedPage | undefined> {
    engine ??= await (await import('./tesseract.ts')).loadTesseract();
    try {
      const table = engine.recognize(image, orientation);
      return table === undefined ? undefined : recognizedTextOf(table);
    } catch (fault) {
      // The engine throws numbers and traps of WebAssembly. Its memory is then unusable.
      engine = undefined;
      if (fault instanceof Error && !(fault instanceof WebAssembly.RuntimeError)) throw fault;
      return undefined;
    }
  }

  return {
    pixelsMax: limits.pixelsMax,
    hasCapacity: () => images < limits.pagesMax && usedMs < limits.msMax,
    async measure(work) {
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        usedMs += performance.now() - startedAt;
      }
    },
    // Tesseract reads lines in a quarter turn itself. If the words of an image make no sense, it is
    // turned upside down.
    async recognize(image, orientation = 1) {
      images += 1;
      let page = await recognizeOnce(image, orientation);
      if (!page) return undefined;
      if (page.words >= wordsToTurnMin && page.confidence < uprightConfidenceMin) {
        const turned = await recognizeOnce(image, orientation === upsideDown ? 1 : upsideDown);
        if (turned && turned.confidence > page.confidence) page = turned;
      }
      return page.paragraphs.map((lines) => ({ kind: 'paragraph', text: joinLines(lines) }));
    },
    end() {
      engine?.end();
      engine = undefined;
    },
  };
}
