import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uploadIn } from '../../src/rest/uploads.ts';
import { boundary, formOf, formType } from '../support/files.ts';

/** The form, cut into chunks of these lengths, over and over. */
async function contentOf(
  form: Buffer,
  lengths: readonly number[],
  contentType = formType,
): Promise<Buffer> {
  let at = 0;
  let turn = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at >= form.length) return controller.close();
      const length = lengths[turn % lengths.length] ?? 1;
      controller.enqueue(Uint8Array.from(form.subarray(at, at + length)));
      at += length;
      turn += 1;
    },
  });
  const options = {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
    duplex: 'half',
  };
  const { content } = await uploadIn(new Request('http://atrium.test/', options)).open();
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

// What a boundary is made of, and what only looks like one.
const delimiter = `\r\n--${boundary}`;
const piece = fc.oneof(
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
  .array(piece, { minLength: 1, maxLength: 30 })
  .map((pieces) => pieces.join(''))
  .filter((content) => !`\r\n${content}`.includes(delimiter) && content !== '');
const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });

describe('the file in a form', () => {
  const types = fc.constantFrom(
    formType,
    `multipart/form-data; boundary="${boundary}"`,
    `multipart/form-data; charset=utf-8; boundary=${boundary}`,
  );

  it('is its bytes, wherever the form is cut into chunks and whatever in it looks like a boundary', async () => {
    await fc.assert(
      fc.asyncProperty(contents, lengths, types, async (content, cuts, type) => {
        const form = formOf([
          { name: 'before', content: 'field' },
          { name: 'file', fileName: 'a', content },
          { name: 'behind', content: 'field' },
        ]);
        expect((await contentOf(form, cuts, type)).toString()).toBe(content);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused, wherever the form breaks off', async () => {
    const form = formOf([
      { name: 'file', fileName: 'a', content: `x\r\n--${boundary.slice(0, 5)}${'y'.repeat(500)}` },
    ]);
    const codes = new Set<string>();
    for (let length = 0; length < form.length - 4; length += 3) {
      codes.add(
        await contentOf(form.subarray(0, length), [97]).then(
          () => `taken at ${length}`,
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(codes).toEqual(new Set(['BAD_INPUT']));
  });

  it('is refused with a second one behind it, however far', async () => {
    const file = { name: 'file', fileName: 'a', content: 'x'.repeat(10_000) };
    const form = formOf([
      file,
      { name: 'other', fileName: 'b', content: 'y'.repeat(50_000) },
      file,
    ]);
    await expect(contentOf(form, [1_000])).rejects.toThrow('not several');
  });
});
