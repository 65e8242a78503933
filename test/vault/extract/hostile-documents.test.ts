import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { docxOf, odtFile, officeFile, pptxFile, xlsxFile } from '../../support/office-files.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { createFileReader } from '../../support/read-files.ts';
import { receiver } from '../../support/vault.ts';

const files = await createFileReader();
const refusal = (code: string) => ({ name: 'ExtractError', code });
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
/** Text that compresses like ordinary text, unlike a ZIP bomb. */
const prose = (units: number) => {
  const words: string[] = [];
  for (let length = 0, seed = 1; length < units; length += 8) {
    seed = (seed * 48_271) % 2_147_483_647;
    words.push((seed % 60_000_000).toString(36).padEnd(7, 'x'));
  }
  return words.join(' ');
};

describe('office documents', () => {
  it('A document that refers to files or addresses gets neither of them', async () => {
    const listener = await receiver((_, response) => response.end('fetched from the network'));
    onTestFinished(listener.stop);
    const canary = join(files.folder, 'canary.xml');
    await writeFile(
      canary,
      `<w:footnotes xmlns:w="w">${paragraph('read from the disk')}</w:footnotes>`,
    );
    const targets: [string, string][] = [
      'image',
      'attachedTemplate',
      'subDocument',
      'aFChunk',
      'oleObject',
      'hyperlink',
      'styles',
      'footnotes',
      'endnotes',
    ].flatMap((kind): [string, string][] => [
      [kind, `file://${canary}`],
      [kind, canary],
      [kind, `../../../../../../../..${canary}`],
      [kind, `${listener.url}/${kind}`],
    ]);
    const relations = Object.fromEntries(targets.map((target, at) => [`r${at}`, target]));
    const references = targets
      .map(
        (_, at) =>
          `<w:p><w:drawing><a:blip r:link="r${at}"/></w:drawing><w:altChunk r:id="r${at}"/><w:subDoc r:id="r${at}"/></w:p>`,
      )
      .join('');
    expect((await files.text(docxOf(paragraph('inside') + references, relations))).text).toBe(
      'inside',
    );
    const frame = `<text:p>inside</text:p><text:section><text:section-source xlink:href="${listener.url}/a.odt"/></text:section><draw:image xlink:href="file://${canary}"/>`;
    expect((await files.text(odtFile(frame))).text).toBe('inside');
    expect(listener.requests).toEqual([]);
  });

  it('A document with an embedded ZIP file gives only its own text', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(4_000_000) });
    const relations: Record<string, [string, string]> = { e: ['package', 'embeddings/inner.docx'] };
    const inner = { 'word/embeddings/inner.docx': Buffer.from(bomb).toString('latin1') };
    expect((await files.text(docxOf(paragraph('outer'), relations, inner))).text).toBe('outer');
    await expect(
      files.text(zipSync({ 'inner.docx': docxOf(paragraph('inner')) })),
    ).rejects.toMatchObject(refusal('UNSUPPORTED'));
  });

  it.each([
    ['Word', (bomb: string) => docxOf(paragraph('x') + bomb)],
    [
      'Excel, in its strings',
      (bomb: string) => xlsxFile([{ name: 'S', rows: '' }], { strings: [bomb] }),
    ],
    ['PowerPoint', (bomb: string) => pptxFile([{ texts: [bomb] }])],
    ['OpenDocument', (bomb: string) => odtFile(bomb)],
  ])('A ZIP bomb is TOO_COMPLEX: %s', async (_, createDocument) => {
    await expect(files.passages(createDocument(' '.repeat(17_500_000)))).rejects.toMatchObject(
      refusal('TOO_COMPLEX'),
    );
  });

  it.each([
    ['PowerPoint', pptxFile([{ title: 'T', texts: [prose(4_000)] }])],
    [
      'Excel',
      xlsxFile([{ name: 'S', rows: '<row><c t="s"><v>0</v></c></row>' }], {
        strings: [`<t>${prose(4_000)}</t>`],
      }),
    ],
    ['OpenDocument', odtFile(`<text:p>${prose(4_000)}</text:p>`)],
  ])('A truncated or corrupted document is DAMAGED: %s', async (_, complete) => {
    await expect(files.text(complete.subarray(0, complete.length / 2))).rejects.toMatchObject(
      refusal('DAMAGED'),
    );
    const corrupted = Buffer.from(complete);
    const directoryAt = corrupted.indexOf('PK\u0001\u0002');
    for (let at = 200; at < directoryAt; at += 97) corrupted[at] = (corrupted[at] ?? 0) ^ 0xff;
    await expect(files.text(corrupted)).rejects.toMatchObject(refusal('DAMAGED'));
  });

  it('A password-protected document is ENCRYPTED wherever its directory is in the file', async () => {
    const container = Buffer.alloc(300_000);
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(container);
    container.writeUInt16LE(9, 30);
    container.writeUInt32LE(500, 48);
    await expect(files.text(container)).rejects.toMatchObject(refusal('UNSUPPORTED'));
    container.write('EncryptedPackage', 501 * 512 + 128, 'utf16le');
    await expect(files.text(container)).rejects.toMatchObject(refusal('ENCRYPTED'));
  });

  it.each([
    [
      'PowerPoint',
      officeFile(
        { 'ppt/presentation.xml': '<p:presentation><p:sldIdLst>' },
        { '': { m: ['officeDocument', 'ppt/presentation.xml'] } },
      ),
    ],
    [
      'Excel',
      officeFile(
        { 'xl/workbook.xml': '<workbook></sheets>' },
        { '': { m: ['officeDocument', 'xl/workbook.xml'] } },
      ),
    ],
    ['OpenDocument', odtFile('<text:p>')],
    [
      'OpenDocument without content',
      zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }] }),
    ],
  ])('A document with incomplete XML is DAMAGED: %s', async (_, content) => {
    await expect(files.text(content)).rejects.toMatchObject(refusal('DAMAGED'));
  });
});

describe('large documents', () => {
  it('A sheet of 200,000 rows is read completely in a small heap', async () => {
    const rows = Array.from(
      { length: 200_000 },
      (_, at) => `<row><c t="s"><v>${at % 2}</v></c><c><v>${at}</v></c></row>`,
    ).join('');
    const content = xlsxFile(
      [{ name: 'Long', rows: `<row><c t="s"><v>2</v></c><c t="s"><v>3</v></c></row>${rows}` }],
      {
        strings: ['<t>even</t>', '<t>odd</t>', '<t>Kind</t>', '<t>Number</t>'],
      },
    );
    const { passages, totals } = await files.passages(content, { heapMegabytesMax: 48 });
    expect(passages.at(-1)?.text).toMatch(/Kind: odd \| Number: 199999$/);
    expect(totals.pages).toBe(1);
  });

  it('A PDF page that unpacks to 300 MB outside the heap stops only the reader: OUT_OF_MEMORY', async () => {
    const packed = deflateSync(Buffer.alloc(300_000_000, ' '));
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
      `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed.toString('latin1')}\nendstream`,
    ];
    const file = Buffer.from(
      `%PDF-1.4\n${objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer << /Root 1 0 R >>`,
      'latin1',
    );
    await expect(files.passages(file, { heapMegabytesMax: 64 })).rejects.toMatchObject(
      refusal('OUT_OF_MEMORY'),
    );
  });

  it.each([
    [
      'more strings than the heap holds',
      () =>
        xlsxFile([{ name: 'S', rows: '' }], {
          strings: prose(8_000_000)
            .split(' ')
            .map((word) => `<t>${word}</t>`),
        }),
    ],
    ['one text larger than the heap', () => docxOf(paragraph(prose(17_500_000)))],
  ])('A document with %s stops only the reader: OUT_OF_MEMORY', async (_, createDocument) => {
    await expect(files.passages(createDocument(), { heapMegabytesMax: 16 })).rejects.toMatchObject(
      refusal('OUT_OF_MEMORY'),
    );
  });

  it('A PDF is read up to the limit of 10,000 pages', async () => {
    const content = pdfFile(Array.from({ length: 10_002 }, (_, at) => [`page ${at + 1}`]));
    const { passages, totals } = await files.passages(content, { pagesMax: 10_000 });
    expect(totals.pages).toBe(10_000);
    expect(passages.at(-1)?.text).toMatch(/page 10000$/);
  });
});
