import { expect, it } from 'vitest';
import { readDocument } from '../../../../src/vault/extract/read-document.ts';
import { createFileReader } from '../../../support/read-files.ts';
import { scannedPdf } from '../../../support/scanned-pdf.ts';
import { type Bitmap, pngFile, textBitmap } from '../../../support/text-image.ts';

const files = await createFileReader();
const text = 'Delivery takes five working days';
const scan = textBitmap([text]);

/** A page of A4 at 300 dots per inch. */
function a4Scan(): Bitmap {
  const page = { width: 2_480, height: 3_508, pixels: new Uint8Array(2_480 * 3_508).fill(255) };
  for (let row = 0; row < scan.height; row += 1)
    page.pixels.set(
      scan.pixels.subarray(row * scan.width, (row + 1) * scan.width),
      (row + 200) * page.width + 200,
    );
  return page;
}

it('The process of a document recognizes images, and says which kind they are', async () => {
  const image = await files.passages(pngFile(scan));
  expect(image.mimeType).toBe('image/png');
  expect(image.passages.map((passage) => passage.text)).toEqual([text]);
  expect(image.totals.notices).toEqual([{ code: 'PAGES_RECOGNIZED', count: 1 }]);
});

it('A scanned page of A4 at 300 dots per inch fits into the limits of memory', async () => {
  const { passages } = await files.passages(await scannedPdf([{ png: pngFile(a4Scan()) }]));
  expect(passages).toMatchObject([{ page: 1, text }]);
});

it('The text of an image that is attached to a mail is found below the name of the attachment', async () => {
  const mail = [
    'From: a@example.com',
    'Subject: Delivery note',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: image/png; name=note.png',
    'Content-Disposition: attachment; filename=note.png',
    'Content-Transfer-Encoding: base64',
    '',
    pngFile(scan).toString('base64'),
    '--b--',
  ].join('\r\n');
  const { passages, totals } = await files.passages(mail);
  expect(passages.map((passage) => passage.text).join('\n\n')).toContain(
    `Attachment: note.png\n\n${text}`,
  );
  expect(totals.notices).toEqual([{ code: 'PAGES_RECOGNIZED', count: 1 }]);
});

it('Without recognition an image is UNSUPPORTED', async () => {
  await expect(files.passages(pngFile(scan), { recognition: undefined })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
  });
});

it('Recognition stops with its caller', async () => {
  const page = { png: pngFile(a4Scan()) };
  const source = await files.sourceOf(await scannedPdf([page, page]));
  const controller = new AbortController();
  const cancelled = await readDocument({
    sandbox: files.sandbox,
    source,
    signal: controller.signal,
  });
  controller.abort(new Error('no longer needed'));
  await expect(cancelled.batches[Symbol.asyncIterator]().next()).rejects.toThrow(
    'no longer needed',
  );
});
