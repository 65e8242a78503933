import { Document, HeadingLevel, Packer, Paragraph } from 'docx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfFile } from '../../support/pdf-file.ts';
import { pngFile, textBitmap } from '../../support/text-image.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

let vault: VaultServers;
beforeAll(async () => {
  vault = await startVaultServers({ yaml: 'extraction: { unpacked_mb: 4 }' });
});
afterAll(() => vault.close());

const sentence = 'The harbour pilot boards two miles west of the lighthouse.';

/** The text of a document between two offsets. */
async function textAt(
  collection: string,
  document: string,
  start: number,
  end: number,
): Promise<string> {
  const passages = await vault.client.passages({ collection, document, limit: 1_000 });
  const container = passages.find((passage) => passage.start <= start && passage.end >= end);
  return container?.text.slice(start - container.start, end - container.start) ?? '';
}

describe('kinds of files', () => {
  it('A search in a PDF returns the page and the offsets of the passage', async () => {
    const filling = Array.from(
      { length: 8 },
      (_, at) => `Rule ${at} says that engines are kept running until all lines are ashore.`,
    );
    const pages = [
      ['Ships announce themselves a day before.', ...filling],
      [sentence, ...filling],
      ['The berth is told by radio.', ...filling],
    ];
    const { status, body } = await vault.put('kinds', 'pdf', pdfFile(pages));
    expect(status).toBe(200);
    expect(body).toMatchObject({ mimeType: 'application/pdf', pages: 3 });
    const hit = (await vault.find('kinds', 'lighthouse')).find(
      ({ document }) => document === 'pdf',
    );
    expect(hit?.page).toBe(2);
    expect(hit?.text).toContain(sentence);
    expect(await textAt('kinds', 'pdf', hit?.start ?? 0, hit?.end ?? 0)).toBe(hit?.text);
  });

  it('The text of an image is found, and its answer says that it was recognized', async () => {
    const image = pngFile(textBitmap(['The pilot boards near the lighthouse']));
    const { status, body } = await vault.put('images', 'png', image);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      mimeType: 'image/png',
      notices: [
        { code: 'PAGES_RECOGNIZED', message: expect.stringContaining('one page or image') },
      ],
    });
    expect(await vault.find('images', 'lighthouse')).toMatchObject([{ document: 'png' }]);
  });

  it('A search in a Word document returns the headings above the passage', async () => {
    const children = [
      new Paragraph({ text: 'Harbour', heading: HeadingLevel.HEADING_1 }),
      new Paragraph('Ships announce themselves a day before.'),
      new Paragraph({ text: 'Approach', heading: HeadingLevel.HEADING_2 }),
      new Paragraph(sentence),
    ];
    const { status, body } = await vault.put(
      'kinds',
      'docx',
      await Packer.toBuffer(new Document({ sections: [{ children }] })),
    );
    expect(status).toBe(200);
    expect(body.mimeType).toBe(
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    );
    const hit = (await vault.find('kinds', 'lighthouse')).find(
      ({ document }) => document === 'docx',
    );
    expect(hit?.text).toContain(sentence);
    expect(hit?.headings[0]).toBe('Harbour');
    expect(await textAt('kinds', 'docx', hit?.start ?? 0, hit?.end ?? 0)).toBe(hit?.text);
  });

  it('The kind of a file is detected from its content, not from its name or content type', async () => {
    const headers = { 'content-type': 'application/pdf', 'x-file-name': 'letter.pdf' };
    expect(
      (
        await vault.put(
          'kinds',
          'named',
          `<!doctype html><html><body><p>${sentence}</p></body></html>`,
          headers,
        )
      ).body.mimeType,
    ).toBe('text/html');
  });
});

describe('unreadable files', () => {
  const pdf = pdfFile([[sentence]]);
  const files: [string, Uint8Array, string, RegExp][] = [
    ['empty', new Uint8Array(), 'EMPTY', /holds no text/],
    ['only white space', Buffer.from(' \n\t\n '), 'EMPTY', /holds no text/],
    [
      'encrypted',
      pdfFile([[sentence]], { encrypted: true }),
      'ENCRYPTED',
      /protected by a password/,
    ],
    ['damaged', pdf.subarray(0, 200), 'DAMAGED', /damaged or incomplete/],
    [
      'of another kind',
      Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\0\0\0\0', 'latin1'),
      'UNSUPPORTED',
      /This kind of file/,
    ],
  ];

  it.each(files)(
    'A file that is %s is answered with 422, a code and a message for ingestion and extraction, and is not stored',
    async (name, file, code, message) => {
      const document = name.replaceAll(' ', '-');
      expect(await vault.put('refused', document, file)).toMatchObject({
        status: 422,
        body: { status: 'error', code, message: expect.stringMatching(message) },
      });
      expect(await vault.call('POST', '/v1/extract', { body: file })).toMatchObject({
        status: 422,
        body: { status: 'error', code },
      });
      const outcome = vault.client.ingest({
        collection: 'refused',
        document,
        body: new Blob([Buffer.from(file)]).stream(),
      });
      await expect(outcome).rejects.toMatchObject({ code: 'UNREADABLE_DOCUMENT', reason: code });
      expect(
        (await vault.call('GET', `/v1/collections/refused/documents/${document}`)).status,
      ).toBe(404);
      expect(vault.workFiles()).toEqual([]);
    },
  );

  it('A file that unpacks to more than the limit is answered with 422 and leaves nothing behind', async () => {
    const parts = unzipSync(
      await Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph(sentence)] }] })),
    );
    const [begin = '', end = ''] = strFromU8(parts['word/document.xml'] ?? new Uint8Array()).split(
      '</w:body>',
    );
    const paragraph = '<w:p><w:r><w:t>never ends</w:t></w:r></w:p>';
    const bomb = zipSync({
      ...parts,
      'word/document.xml': strToU8(`${begin}${paragraph.repeat(200_000)}</w:body>${end}`),
    });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await vault.put('refused', 'bomb', bomb)).toMatchObject({
      status: 422,
      body: { code: 'TOO_COMPLEX', message: expect.stringMatching(/unpacks to more/) },
    });
    expect((await vault.call('GET', '/v1/collections/refused/documents/bomb')).status).toBe(404);
    expect(await vault.find('refused', 'never')).toEqual([]);
    expect(vault.workFiles()).toEqual([]);
  });

  it('An unreadable file changes neither the document that it should replace nor its own earlier version', async () => {
    await vault.put('kept', 'old', sentence);
    expect(
      (await vault.put('kept', 'new?replaces=old', pdfFile([[sentence]], { encrypted: true })))
        .status,
    ).toBe(422);
    expect((await vault.put('kept', 'old', new Uint8Array())).status).toBe(422);
    expect(await vault.find('kept', 'lighthouse')).toMatchObject([
      { document: 'old', text: sentence },
    ]);
  });
});
