import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { createS3Storage } from '../../../src/platform/storage/s3.ts';
import {
  NotStored,
  type Storage,
  type StoredObject,
} from '../../../src/platform/storage/storage.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { testBucket } from '../../support/s3.ts';

/** Content in pieces; `fails` ends it with a fault instead of an end. */
async function* pieces(
  content: Buffer,
  { size = 65_536, fails = false } = {},
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
  if (fails) throw new Error('the sender is gone');
}

const kinds: Record<
  string,
  () => Promise<{ storage: Storage; directory: string; close(): unknown }>
> = {
  disk: async () => {
    const directory = temporaryDirectory();
    return {
      storage: createDiskStorage({ directory: directory.path, alone: true }),
      directory: directory.path,
      close: directory.remove,
    };
  },
  S3: async () => {
    const bucket = await testBucket();
    const storage = createS3Storage({ S3_REGION: 'us-east-1', ...bucket.settings, log: quietLog });
    return {
      storage,
      directory: bucket.directory,
      close: () => bucket.close().then(storage.close),
    };
  },
};

describe.each(Object.entries(kinds))('on %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let storage: Storage;
  beforeAll(async () => {
    opened = await open();
    storage = opened.storage;
  });
  afterAll(() => opened.close());

  const read = async (key: string, range?: { start: number; end: number }) =>
    buffer(await storage.get(key, range));
  const listed = async () => {
    const objects: StoredObject[] = [];
    for await (const object of storage.list()) objects.push(object);
    return objects;
  };
  const keys = async () => (await listed()).map(({ key }) => key);

  it.each([0, 1, 65_536, 3_000_000, 12_000_001])(
    'gives back the %i bytes that were put, and tells their number and hash',
    async (length) => {
      const content = randomBytes(length);
      const key = `tenant/of-${length}`;
      expect(await storage.put(key, pieces(content))).toEqual({
        bytes: length,
        hash: createHash('sha256').update(content).digest('hex'),
      });
      expect((await read(key)).equals(content)).toBe(true);
    },
  );

  it('gives back a part of an object', async () => {
    await storage.put('tenant/range', pieces(Buffer.from('0123456789')));
    expect((await read('tenant/range', { start: 2, end: 5 })).toString()).toBe('2345');
    expect((await read('tenant/range', { start: 9, end: 9 })).toString()).toBe('9');
  });

  it.each([0, 100_000, 12_000_000])(
    'keeps nothing of content that fails after %i bytes',
    async (length) => {
      await expect(
        storage.put('tenant/failed', pieces(randomBytes(length), { fails: true })),
      ).rejects.toThrow('the sender is gone');
      await expect(storage.get('tenant/failed')).rejects.toThrow(NotStored);
      expect(await keys()).not.toContain('tenant/failed');
      expect(
        readdirSync(opened.directory, { recursive: true }).filter((name) =>
          String(name).includes('incoming/'),
        ),
      ).toEqual([]);
    },
  );

  it('leaves the object that stands under a key until its successor is there whole', async () => {
    await storage.put('tenant/same', pieces(Buffer.from('first')));
    await expect(
      storage.put('tenant/same', pieces(Buffer.from('second'), { fails: true })),
    ).rejects.toThrow();
    expect((await read('tenant/same')).toString()).toBe('first');
    await storage.put('tenant/same', pieces(Buffer.from('second')));
    expect((await read('tenant/same')).toString()).toBe('second');
  });

  it('lists what is there, with size and time, and no longer what was removed', async () => {
    await storage.put('lister/one', pieces(Buffer.from('1')));
    await storage.put('lister/two', pieces(Buffer.from('22')));
    const ours = (await listed()).filter(({ key }) => key.startsWith('lister/'));
    expect(ours.toSorted((a, b) => a.bytes - b.bytes)).toEqual([
      { key: 'lister/one', bytes: 1, modifiedAt: expect.any(Date) },
      { key: 'lister/two', bytes: 2, modifiedAt: expect.any(Date) },
    ]);
    for (const { modifiedAt } of ours)
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
    await storage.remove('lister/one');
    await storage.remove('lister/one');
    expect((await keys()).filter((key) => key.startsWith('lister/'))).toEqual(['lister/two']);
  });

  it('takes no key that could lead elsewhere', async () => {
    for (const key of [
      '',
      'one',
      '../one/two',
      'a/../b',
      '/a/b',
      'a//b',
      'a/b\0',
      'a/.',
      'a/b/c/d/e',
      'a/b c',
      `a/${'x'.repeat(65)}`,
    ]) {
      await expect(storage.put(key, pieces(Buffer.from('x')))).rejects.toThrow('no key');
      await expect(storage.get(key)).rejects.toThrow('no key');
      await expect(storage.remove(key)).rejects.toThrow('no key');
    }
  });

  it('is swept without losing an object', async () => {
    await storage.put('tenant/kept', pieces(Buffer.from('kept')));
    await storage.sweep();
    expect((await read('tenant/kept')).toString()).toBe('kept');
  });
});

describe('parts that a killed process left behind', () => {
  const partsIn = async (path: string, alone: boolean) => {
    const storage = createDiskStorage({ directory: path, alone });
    await storage.put('tenant/first', pieces(Buffer.from('x')));
    for (const name of ['old', 'new']) writeFileSync(join(path, 'incoming', name), 'cut off');
    utimesSync(join(path, 'incoming', 'old'), 0, 0);
    await storage.sweep();
    return readdirSync(join(path, 'incoming'));
  };

  it.each([
    ['are all swept by the only process', true, []],
    ['are swept by one of several when they are old', false, ['new']],
  ])('%s', async (_, alone, left) => {
    const directory = temporaryDirectory();
    try {
      expect(await partsIn(directory.path, alone)).toEqual(left);
    } finally {
      directory.remove();
    }
  });
});

describe('an upload in parts that fails', () => {
  it('is given up, so that its parts cost nothing', async () => {
    const bucket = await testBucket();
    const storage = createS3Storage({ S3_REGION: 'us-east-1', ...bucket.settings, log: quietLog });
    try {
      await expect(
        storage.put('tenant/parts', pieces(randomBytes(12_000_000), { fails: true })),
      ).rejects.toThrow('the sender is gone');
      expect(bucket.aborted).toHaveLength(1);
    } finally {
      storage.close();
      await bucket.close();
    }
  });
});

describe('a disk that is full', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

  it.each(['mkdir', 'open'] as const)(
    'is told as such where nothing new can be made, by %s',
    async (made) => {
      const directory = temporaryDirectory();
      const refusing = vi.spyOn(fs, made).mockRejectedValueOnce(full);
      syncBuiltinESMExports();
      try {
        const storage = createDiskStorage({ directory: directory.path, alone: true });
        await expect(storage.put('tenant/full', pieces(randomBytes(10)))).rejects.toMatchObject({
          code: 'STORAGE_FULL',
        });
        expect(refusing).toHaveBeenCalled();
        expect(await storage.put('tenant/full', pieces(randomBytes(10)))).toMatchObject({
          bytes: 10,
        });
      } finally {
        refusing.mockRestore();
        syncBuiltinESMExports();
        directory.remove();
      }
    },
  );

  it('is told as such, and nothing of the object stays', async () => {
    const directory = temporaryDirectory();
    try {
      const storage = createDiskStorage({ directory: directory.path, alone: true });
      const content = async function* () {
        yield Buffer.from('x');
        throw full;
      };
      await expect(storage.put('tenant/full', content())).rejects.toMatchObject({
        code: 'STORAGE_FULL',
      });
      expect(readdirSync(join(directory.path, 'incoming'))).toEqual([]);
    } finally {
      directory.remove();
    }
  });
});
