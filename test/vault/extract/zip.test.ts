import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { openZip, type ZipArchive } from '../../../src/vault/extract/zip.ts';

const folder = await mkdtemp(join(tmpdir(), 'zip-'));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const limits = { unpackedBytesMax: 64 * 1024 * 1024, partsMax: 1000 };
const open = async (bytes: Uint8Array, changed: Partial<typeof limits> = {}) => {
  files += 1;
  const path = join(folder, String(files));
  await writeFile(path, bytes);
  return openZip({ path, bytes: bytes.length }, { ...limits, ...changed });
};
const zipOf = (parts: Zippable) => zipSync(parts);
const readPart = async (zip: ZipArchive, name: string) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const closeAfter = async <T>(zip: ZipArchive, use: (zip: ZipArchive) => Promise<T>) =>
  use(zip).finally(() => zip.close());

/**
 * The offset of the n-th entry in the directory at the end. Its unpacked size is at offset 24, its
 * position in the file at offset 42.
 */
const directoryEntry = (bytes: Buffer, n: number) => {
  let at = bytes.indexOf('PK\u0001\u0002');
  for (let skipped = 0; skipped < n; skipped += 1) at = bytes.indexOf('PK\u0001\u0002', at + 1);
  return at;
};

describe('openZip', () => {
  it('Each part is read byte for byte, compressed or stored, in any order and repeatedly', async () => {
    const noise = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251);
    const zip = await open(
      zipOf({
        'one.xml': strToU8('<a>ä漢😀</a>'),
        'deep/noise.bin': [noise, { level: 0 }],
        empty: new Uint8Array(),
      }),
    );
    await closeAfter(zip, async () => {
      expect(zip.names.toSorted()).toEqual(['deep/noise.bin', 'empty', 'one.xml']);
      expect((await readPart(zip, 'deep/noise.bin')).equals(noise)).toBe(true);
      expect((await readPart(zip, 'one.xml')).toString()).toBe('<a>ä漢😀</a>');
      expect((await readPart(zip, 'one.xml')).toString()).toBe('<a>ä漢😀</a>');
      expect(await readPart(zip, 'empty')).toHaveLength(0);
      expect((await zip.head('deep/noise.bin', 100)).equals(noise.subarray(0, 100))).toBe(true);
      await expect(readPart(zip, 'missing')).rejects.toMatchObject({ code: 'DAMAGED' });
    });
  });

  it('Names that lead out of the folder are only keys, and nothing is written', async () => {
    const zip = await open(
      zipOf({
        '../../../../tmp/climbed': strToU8('x'),
        '/etc/climbed': strToU8('y'),
        'word/document.xml': strToU8('<a/>'),
      }),
    );
    await closeAfter(zip, async () => {
      expect((await readPart(zip, 'word/document.xml')).toString()).toBe('<a/>');
      expect((await readPart(zip, '../../../../tmp/climbed')).toString()).toBe('x');
    });
  });

  it('Parts that unpack to more than the limit together are rejected, whatever the headers say', async () => {
    const mebibyte = new Uint8Array(1024 * 1024);
    const bytes = Buffer.from(zipOf({ a: mebibyte, b: mebibyte, c: mebibyte }));
    for (const n of [0, 1, 2]) bytes.writeUInt32LE(10, directoryEntry(bytes, n) + 24);
    const zip = await open(bytes, { unpackedBytesMax: 700_000 });
    await closeAfter(zip, async () => {
      await expect(readPart(zip, 'a')).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
    });
    const honest = await open(zipOf({ a: mebibyte, b: mebibyte, c: mebibyte }), {
      unpackedBytesMax: 2 * 1024 * 1024,
    });
    await closeAfter(honest, async () => {
      expect(await readPart(honest, 'a')).toHaveLength(1024 * 1024);
      expect(await readPart(honest, 'b')).toHaveLength(1024 * 1024);
      await expect(readPart(honest, 'c')).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
    });
  });

  it('A part with an excessive compression ratio is rejected, even within the size limit', async () => {
    const zip = await open(zipOf({ bomb: new Uint8Array(32 * 1024 * 1024) }));
    await closeAfter(zip, async () => {
      await expect(readPart(zip, 'bomb')).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
    });
  });

  it('A file with a wrong size or checksum of a part is DAMAGED', async () => {
    for (const offset of [16, 24]) {
      const bytes = Buffer.from(zipOf({ a: strToU8('some text of some length') }));
      bytes.writeUInt32LE(7, directoryEntry(bytes, 0) + offset);
      const zip = await open(bytes);
      await closeAfter(zip, async () => {
        await expect(readPart(zip, 'a')).rejects.toMatchObject({ code: 'DAMAGED' });
      });
    }
  });

  it('A file with too many parts is rejected before any part is read', async () => {
    const parts = Object.fromEntries(
      Array.from({ length: limits.partsMax + 1 }, (_, at) => [`part${at}`, new Uint8Array()]),
    );
    await expect(open(zipOf(parts))).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
  });

  it('A file with overlapping parts is rejected', async () => {
    const bytes = Buffer.from(zipOf({ a: strToU8('same bytes'), b: strToU8('same bytes') }));
    bytes.writeUInt32LE(
      bytes.readUInt32LE(directoryEntry(bytes, 0) + 42),
      directoryEntry(bytes, 1) + 42,
    );
    await expect(open(bytes)).rejects.toMatchObject({ code: 'TOO_COMPLEX' });
  });

  it('A file with two parts of the same name is DAMAGED', async () => {
    const bytes = Buffer.from(zipOf({ aa: strToU8('1'), ab: strToU8('2') }));
    bytes.write('aa', directoryEntry(bytes, 1) + 46);
    await expect(open(bytes)).rejects.toMatchObject({ code: 'DAMAGED' });
  });

  it('A file with a password is ENCRYPTED, not DAMAGED', async () => {
    const bytes = Buffer.from(zipOf({ a: strToU8('secret') }));
    bytes.writeUInt16LE(1, directoryEntry(bytes, 0) + 8);
    const zip = await open(bytes);
    await closeAfter(zip, async () => {
      await expect(readPart(zip, 'a')).rejects.toMatchObject({ code: 'ENCRYPTED' });
    });
  });

  it('A file truncated at any position is DAMAGED', async () => {
    const bytes = zipOf({
      'a.xml': strToU8('text '.repeat(500)),
      'b.xml': strToU8('more '.repeat(500)),
    });
    for (let length = 0; length < bytes.length; length += 7) {
      await expect(open(bytes.slice(0, length))).rejects.toMatchObject({ code: 'DAMAGED' });
    }
  });

  it('A file with one changed byte gives the original content or an error', async () => {
    const content = strToU8(Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n'));
    const bytes = zipOf({ 'a.xml': content });
    for (let at = 0; at < bytes.length; at += 3) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      const outcome = await open(flipped)
        .then((zip) =>
          closeAfter(zip, async () =>
            Buffer.concat([...(await Promise.all(zip.names.map((name) => readPart(zip, name))))]),
          ),
        )
        .catch((fault: unknown) => fault);
      if (outcome instanceof Buffer)
        expect(outcome.length === 0 || outcome.equals(content)).toBe(true);
      else
        expect(outcome).toMatchObject({
          code: expect.stringMatching(/DAMAGED|ENCRYPTED|TOO_COMPLEX/),
        });
    }
  });
});
