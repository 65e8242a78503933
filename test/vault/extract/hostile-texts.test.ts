import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readDocument, readLimits } from '../../../src/vault/extract/read-document.ts';
import { createFileReader } from '../../support/read-files.ts';

const files = await createFileReader();
const refusal = (code: string) => ({ name: 'ExtractError', code });

describe('files that are not documents', () => {
  it.each([
    ['an empty file', '', 'EMPTY'],
    ['a file of white space', ' \n\t\r\n'.repeat(1_000), 'EMPTY'],
    ['an empty object', '{}', 'EMPTY'],
    [
      'a picture without text',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
      'EMPTY',
    ],
    [
      'a program',
      Buffer.concat([
        Buffer.from('\x7fELF'),
        Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256)),
      ]),
      'UNSUPPORTED',
    ],
    [
      'an old Office file',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)]),
      'UNSUPPORTED',
    ],
    [
      'a protected Office file',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(500),
        Buffer.from('EncryptedPackage', 'utf16le'),
        Buffer.alloc(500),
      ]),
      'ENCRYPTED',
    ],
    ['a packed file of anything else', zipSync({ 'a.txt': Buffer.from('hello') }), 'UNSUPPORTED'],
    ['a GIF image', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'UNSUPPORTED'],
    ['the beginning of a packed file', Buffer.from('PK\x03\x04 and no more'), 'DAMAGED'],
  ])('A file is rejected: %s', async (_, content, code) => {
    await expect(files.text(content)).rejects.toMatchObject(refusal(code));
    await expect(files.passages(content)).rejects.toMatchObject(refusal(code));
  });

  it('A file that matches several kinds is a PDF before all others, and HTML before JSON', async () => {
    const packed = Buffer.from(zipSync({ 'word/document.xml': Buffer.from('<a/>') }));
    await expect(
      files.text(Buffer.concat([Buffer.from('%PDF-1.7\n'), packed])),
    ).rejects.toMatchObject(refusal('DAMAGED'));
    expect((await files.text('<!doctype html><p>{"a": 1}</p>')).mimeType).toBe('text/html');
    expect((await files.text('["<html>","# x"]')).mimeType).toBe('application/json');
  });
});

describe('texts made to break parsers', () => {
  it.each([
    [
      'pages nested 40,000 deep',
      `<html><body>${'<div>'.repeat(40_000)}deep${'</div>'.repeat(40_000)}<p>shown</p></body></html>`,
      /shown/,
    ],
    ['lists nested 90,000 deep', `${'['.repeat(90_000)}1${']'.repeat(90_000)}`, /1$/],
    ['a table of 300,000 columns', `${'a,'.repeat(300_000)}a\n${'1,'.repeat(300_000)}1\n`, /1/],
    ['a page of entities', `<html><body><p>${'&amp;'.repeat(200_000)}</p></body></html>`, /^&&&/],
    ['a code block that never ends', `# T\n\n\`\`\`\n${'line\n'.repeat(50_000)}`, /^T/],
    ['a heading of a million letters', `# ${'T'.repeat(1_000_000)}\n\ntext`, /text$/],
  ])('A hostile text is read: %s', async (_, content, expected) => {
    const { passages } = await files.passages(content);
    expect(passages.map(({ text }) => text).join('\n')).toMatch(expected);
    expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThanOrEqual(1_800);
    expect(
      Math.max(...passages.map(({ headings }) => headings.join('').length)),
    ).toBeLessThanOrEqual(1_200);
  });

  it('An e-mail with ten thousand parts is read, and one that exceeds the limit is TOO_COMPLEX', async () => {
    const message = (parts: number) =>
      `From: a@example.com\nSubject: Many\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n${Array.from(
        { length: parts },
        (_, index) =>
          `--B\nContent-Disposition: attachment; filename="${index}.txt"\n\nwords of ${index}\n`,
      ).join('')}--B--\n`;
    const { text } = await files.text(message(10_000));
    expect(text).toContain('Attachment: 9999.txt');
    expect(text).toContain('words of 99');
    await expect(files.text(message(readLimits.partsMax + 1))).rejects.toMatchObject(
      refusal('TOO_COMPLEX'),
    );
  });

  it('A table with more text than a document may have is TOO_LARGE_TEXT', async () => {
    const table = `${'long head '.repeat(10)}1,${'long head '.repeat(10)}2\n${'x,y\n'.repeat(20_000)}`;
    await expect(files.passages(table, { textUnitsMax: 1_000_000 })).rejects.toMatchObject(
      refusal('TOO_LARGE_TEXT'),
    );
  });

  it('Stopping before the end of a long attachment leaves nothing on the disk', async () => {
    const source = await files.sourceOf(
      `From: a@example.com\nSubject: Long\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/plain\n\nshort\n--B\nContent-Disposition: attachment; filename="x"\nContent-Transfer-Encoding: base64\n\n${'QUFBQUFBQUFBQUFBQUFB\n'.repeat(200_000)}`,
    );
    const reading = await readDocument({ sandbox: files.sandbox, source });
    for await (const [first] of reading.batches) {
      expect(first?.text).toMatch(/^Long/);
      break;
    }
    await expect(reading.finished).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(`${source.path}.parts`)).toBe(false);
  });

  it('A line of 100 MB is read completely, and memory does not grow with its length', async () => {
    const path = join(files.folder, 'line');
    const file = createWriteStream(path);
    const line = Buffer.from('wörd😀 '.repeat(87_382));
    for (let bytes = 0; bytes < 100_000_000; bytes += line.length)
      if (!file.write(line)) await once(file, 'drain');
    file.end();
    await once(file, 'close');
    const { size } = await stat(path);
    const before = process.memoryUsage().rss;
    let peak = 0;
    let coveredEnd = 0;
    const reading = await readDocument({ sandbox: files.sandbox, source: { path, bytes: size } });
    for await (const batch of reading.batches) {
      for (const passage of batch) {
        if (!passage.text.isWellFormed() || passage.start > coveredEnd + 1)
          expect.fail(`a gap or half a character at ${passage.start}`);
        coveredEnd = passage.end;
      }
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    const { characters } = await reading.finished;
    expect(characters).toBe((size / 10) * 7);
    expect(coveredEnd).toBe(characters - 1);
    expect(peak - before).toBeLessThan(400_000_000);
  });
});

describe('the reader process', () => {
  const slow = () => files.sourceOf('words and more words. '.repeat(400_000));

  it('A reader that computes too long is stopped: TOO_SLOW', async () => {
    const reading = readDocument({
      sandbox: files.sandbox,
      source: await slow(),
      limits: { ...readLimits, busyMsMax: 1 },
    });
    await expect(reading).rejects.toMatchObject(refusal('TOO_SLOW'));
  });

  it('A reader that needs too much memory is stopped without affecting this process: OUT_OF_MEMORY', async () => {
    const page = `<html><body>${'<p><b>x</b></p>'.repeat(400_000)}</body></html>`;
    await expect(files.passages(page, { heapMegabytesMax: 32 })).rejects.toMatchObject(
      refusal('OUT_OF_MEMORY'),
    );
  });

  it('Time that the reader waits for its consumer does not count toward its limit', async () => {
    const reading = await readDocument({
      sandbox: files.sandbox,
      source: await slow(),
      limits: { ...readLimits, busyMsMax: 10_000 },
    });
    // Longer than the limit.
    await pause(10_500);
    let passages = 0;
    for await (const batch of reading.batches) passages += batch.length;
    expect((await reading.finished).passages).toBe(passages);
  });

  it('An aborted signal stops the reader', async () => {
    const stop = new AbortController();
    const reading = await readDocument({
      sandbox: files.sandbox,
      source: await slow(),
      signal: stop.signal,
    });
    const read = async () => {
      for await (const _ of reading.batches) stop.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
    await expect(reading.finished).rejects.toThrow('enough');
  });

  it('The reader returns the same vectors as the hashing embedder', async () => {
    const { embedByHashing } = await import('../../../src/vault/embed/hashing.ts');
    const reading = await readDocument({
      sandbox: files.sandbox,
      source: await files.sourceOf('Holidays are thirty days a year.'),
      embed: 'hashing',
    });
    for await (const [passage] of reading.batches)
      expect(passage?.vector).toEqual(embedByHashing('Holidays are thirty days a year.'));
    expect(await reading.finished).toEqual({
      pages: null,
      characters: 32,
      passages: 1,
      notices: [],
    });
  });
});
