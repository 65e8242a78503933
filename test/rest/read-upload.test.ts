import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUpload } from '../../src/rest/read-upload.ts';
import { boundary, formOf, formType } from '../support/files.ts';

/** Reads the file of a form that is split into chunks of these lengths, repeatedly. */
async function readContent(
  form: Buffer,
  lengths: readonly number[],
  contentType = formType,
): Promise<Buffer> {
  let offset = 0;
  let index = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (offset >= form.length) return controller.close();
      const length = lengths[index % lengths.length] ?? 1;
      controller.enqueue(Uint8Array.from(form.subarray(offset, offset + length)));
      offset += length;
      index += 1;
    },
  });
  const options = {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
    duplex: 'half',
  };
  const { content } = await readUpload(new Request('http://atrium.test/', options)).open();
  const pieces: Uint8Array[] = [];
  for await (const contentPiece of content) pieces.push(contentPiece);
  return Buffer.concat(pieces);
}

// Parts of a boundary, and texts that only resemble one.
const delimiter = `\r\n--${boundary}`;
const contentPiece = fc.oneof(
  fc.constantFrom(
    '\r',
    '\n',
    '\r\n',
    '-',
    '--',
    '\r\n--',
    delimiter.slice(0, -1),
    delimiter.slice(0, 7),
    `\n--${boundary}`,
    `--${boundary.slice(1)}\r\n`,
  ),
  fc.nat({ max: 300 }).map((length) => 'x'.repeat(length)),
);
const contents = fc
  .array(contentPiece, { minLength: 1, maxLength: 30 })
  .map((pieces) => pieces.join(''))
  .filter((content) => !`\r\n${content}`.includes(delimiter) && content !== '');
const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });

describe('the file in a form', () => {
  const types = fc.constantFrom(
    formType,
    `multipart/form-data; boundary="${boundary}"`,
    `multipart/form-data; charset=utf-8; boundary=${boundary}`,
  );

  it('The file is read byte by byte, wherever the form is split into chunks and whatever resembles a boundary', async () => {
    await fc.assert(
      fc.asyncProperty(contents, lengths, types, async (content, cuts, type) => {
        const form = formOf([
          { name: 'before', content: 'field' },
          { name: 'file', fileName: 'a', content },
          { name: 'behind', content: 'field' },
        ]);
        expect((await readContent(form, cuts, type)).toString()).toBe(content);
      }),
      { numRuns: 300 },
    );
  });

  it('A form that ends early is rejected, wherever it ends', async () => {
    const form = formOf([
      { name: 'file', fileName: 'a', content: `x\r\n--${boundary.slice(0, 5)}${'y'.repeat(500)}` },
    ]);
    const codes = new Set<string>();
    for (let length = 0; length < form.length - 4; length += 3) {
      codes.add(
        await readContent(form.subarray(0, length), [97]).then(
          () => `taken at ${length}`,
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(codes).toEqual(new Set(['BAD_INPUT']));
  });

  it('A form with a second file is rejected, however far behind the first', async () => {
    const file = { name: 'file', fileName: 'a', content: 'x'.repeat(10_000) };
    const form = formOf([
      file,
      { name: 'other', fileName: 'b', content: 'y'.repeat(50_000) },
      file,
    ]);
    await expect(readContent(form, [1_000])).rejects.toThrow('not several');
  });
});
