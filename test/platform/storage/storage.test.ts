import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { createS3Storage } from '../../../src/platform/storage/s3.ts';
import {
  type Storage,
  type StoredObject,
  StoredObjectMissing,
} from '../../../src/platform/storage/stored-object.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { proxyTo } from '../../support/proxy-to.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { testBucket } from '../../support/s3.ts';

/** Content in chunks; with `fails` it ends with an error. */
async function* chunks(
  content: Buffer,
  { size = 65_536, fails = false } = {},
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
  if (fails) throw new Error('the sender is gone');
}

const kinds: Record<
  string,
  () => Promise<{ storage: Storage; unfinished(): string[]; close(): unknown }>
> = {
  disk: async () => {
    const directory = temporaryDirectory();
    return {
      storage: createDiskStorage({ directory: directory.path, isSoleUser: true }),
      unfinished: () =>
        readdirSync(directory.path, { recursive: true })
          .map(String)
          .filter((name) => name.includes('incoming/')),
      close: directory.remove,
    };
  },
  S3: async () => {
    const bucket = await testBucket();
    const storage = createS3Storage({ S3_REGION: 'us-east-1', ...bucket.settings, log: quietLog });
    return {
      storage,
      unfinished: bucket.unfinished,
      close: () => bucket.close().then(storage.close),
    };
  },
};

describe.each(Object.entries(kinds))('storage on %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let storage: Storage;
  beforeAll(async () => {
    opened = await open();
    storage = opened.storage;
  });
  afterAll(() => opened.close());

  const read = async (key: string, range?: { start: number; end: number }) =>
    buffer(await storage.get(key, range));
  const listObjects = async () => {
    const objects: StoredObject[] = [];
    for await (const object of storage.list()) objects.push(object);
    return objects;
  };
  const keys = async () => (await listObjects()).map(({ key }) => key);

  it.each([0, 1, 65_536, 3_000_000, 12_000_001])(
    'an object of %i bytes is read unchanged, and its size and hash are returned',
    async (length) => {
      const content = randomBytes(length);
      const key = `tenant/of-${length}`;
      expect(await storage.put(key, chunks(content))).toEqual({
        bytes: length,
        hash: createHash('sha256').update(content).digest('hex'),
      });
      expect((await read(key)).equals(content)).toBe(true);
    },
  );

  it('a range of an object can be read', async () => {
    await storage.put('tenant/range', chunks(Buffer.from('0123456789')));
    expect((await read('tenant/range', { start: 2, end: 5 })).toString()).toBe('2345');
    expect((await read('tenant/range', { start: 9, end: 9 })).toString()).toBe('9');
  });

  it.each([0, 100_000, 12_000_000])(
    'content that fails after %i bytes leaves nothing behind',
    async (length) => {
      await expect(
        storage.put('tenant/failed', chunks(randomBytes(length), { fails: true })),
      ).rejects.toThrow('the sender is gone');
      await expect(storage.get('tenant/failed')).rejects.toThrow(StoredObjectMissing);
      expect(await keys()).not.toContain('tenant/failed');
      expect(opened.unfinished()).toEqual([]);
    },
  );

  it('an existing object remains until its replacement is complete', async () => {
    await storage.put('tenant/same', chunks(Buffer.from('first')));
    await expect(
      storage.put('tenant/same', chunks(Buffer.from('second'), { fails: true })),
    ).rejects.toThrow();
    expect((await read('tenant/same')).toString()).toBe('first');
    await storage.put('tenant/same', chunks(Buffer.from('second')));
    expect((await read('tenant/same')).toString()).toBe('second');
  });

  it('a copy has the content of the original, and remains without it', async () => {
    const content = randomBytes(300_000);
    await storage.put('tenant/original', chunks(content));
    await storage.copy('tenant/original', 'other/copy');
    await storage.remove('tenant/original');
    expect((await read('other/copy')).equals(content)).toBe(true);
    await expect(storage.copy('tenant/original', 'other/second')).rejects.toThrow(
      StoredObjectMissing,
    );
    expect(await keys()).not.toContain('other/second');
    expect(opened.unfinished()).toEqual([]);
  });

  it('list returns existing objects with size and time, and no removed ones', async () => {
    await storage.put('lister/one', chunks(Buffer.from('1')));
    await storage.put('lister/two', chunks(Buffer.from('22')));
    const objects = (await listObjects()).filter(({ key }) => key.startsWith('lister/'));
    expect(objects.toSorted((a, b) => a.bytes - b.bytes)).toEqual([
      { key: 'lister/one', bytes: 1, modifiedAt: expect.any(Date) },
      { key: 'lister/two', bytes: 2, modifiedAt: expect.any(Date) },
    ]);
    for (const { modifiedAt } of objects)
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
    await storage.remove('lister/one');
    await storage.remove('lister/one');
    expect((await keys()).filter((key) => key.startsWith('lister/'))).toEqual(['lister/two']);
  });

  it('a key that could lead outside of the storage is rejected', async () => {
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
      await expect(storage.put(key, chunks(Buffer.from('x')))).rejects.toThrow('no key');
      await expect(storage.get(key)).rejects.toThrow('no key');
      await expect(storage.copy(key, 'a/b')).rejects.toThrow('no key');
      await expect(storage.copy('tenant/range', key)).rejects.toThrow('no key');
      await expect(storage.remove(key)).rejects.toThrow('no key');
    }
  });

  it('sweep deletes no complete object', async () => {
    await storage.put('tenant/kept', chunks(Buffer.from('kept')));
    await storage.sweep();
    expect((await read('tenant/kept')).toString()).toBe('kept');
  });
});

describe('temporary files of a killed process', () => {
  const remainingFiles = async (path: string, isSoleUser: boolean) => {
    const storage = createDiskStorage({ directory: path, isSoleUser });
    await storage.put('tenant/first', chunks(Buffer.from('x')));
    for (const name of ['old', 'new']) writeFileSync(join(path, 'incoming', name), 'partial');
    utimesSync(join(path, 'incoming', 'old'), 0, 0);
    await storage.sweep();
    return readdirSync(join(path, 'incoming'));
  };

  it.each([
    ['temporary files are all deleted by the only process', true, []],
    ['temporary files are deleted by one of several processes once they are old', false, ['new']],
  ])('%s', async (_, isSoleUser, remaining) => {
    const directory = temporaryDirectory();
    try {
      expect(await remainingFiles(directory.path, isSoleUser)).toEqual(remaining);
    } finally {
      directory.remove();
    }
  });
});

describe('a failed multipart upload', () => {
  it('a failed multipart upload is aborted, so that its parts use no storage', async () => {
    const bucket = await testBucket();
    const storage = createS3Storage({ S3_REGION: 'us-east-1', ...bucket.settings, log: quietLog });
    try {
      await expect(
        storage.put('tenant/parts', chunks(randomBytes(12_000_000), { fails: true })),
      ).rejects.toThrow('the sender is gone');
      expect(bucket.aborted).toHaveLength(1);
    } finally {
      storage.close();
      await bucket.close();
    }
  });
});

describe('a bucket that does not answer', () => {
  const openPausable = async (timeouts: { answerMs: number; readMs: number }) => {
    const bucket = await testBucket();
    const network = await proxyTo(bucket.settings.S3_ENDPOINT);
    const settings = { ...bucket.settings, S3_ENDPOINT: network.url, S3_REGION: 'us-east-1' };
    const storage = createS3Storage({
      ...settings,
      log: quietLog,
      timeouts: { connectMs: 1_000, ...timeouts },
    });
    const close = async () => {
      storage.close();
      network.close();
      await bucket.close();
    };
    return { storage, network, close };
  };
  const outOfReach = { code: 'UNAVAILABLE' };

  it('every call ends with UNAVAILABLE', async () => {
    const { storage, network, close } = await openPausable({ answerMs: 1_000, readMs: 1_000 });
    try {
      await storage.put('tenant/known', chunks(randomBytes(10)));
      network.pause();
      await expect(storage.put('tenant/new', chunks(randomBytes(10)))).rejects.toMatchObject(
        outOfReach,
      );
      await expect(storage.get('tenant/known')).rejects.toMatchObject(outOfReach);
      await expect(storage.copy('tenant/known', 'tenant/copy')).rejects.toMatchObject(outOfReach);
      await expect(storage.remove('tenant/known')).rejects.toMatchObject(outOfReach);
      await expect(storage.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(outOfReach);
    } finally {
      await close();
    }
  });

  it('a read that stalls ends with UNAVAILABLE, but a reader may pause', async () => {
    const readMs = 3_000;
    const { storage, network, close } = await openPausable({ answerMs: 60_000, readMs });
    try {
      const content = randomBytes(8_000_000);
      await storage.put('tenant/large', chunks(content));
      const slow = await storage.get('tenant/large');
      await pause(readMs + 500);
      expect((await buffer(slow)).equals(content)).toBe(true);
      const stalled = await storage.get('tenant/large');
      network.pause();
      await expect(buffer(stalled)).rejects.toMatchObject(outOfReach);
    } finally {
      await close();
    }
  });
});

describe('a full disk', () => {
  const diskFull = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

  it.each(['mkdir', 'open'] as const)(
    'STORAGE_FULL is thrown if %s fails on a full disk',
    async (operation) => {
      const directory = temporaryDirectory();
      const failingCall = vi.spyOn(fs, operation).mockRejectedValueOnce(diskFull);
      syncBuiltinESMExports();
      try {
        const storage = createDiskStorage({ directory: directory.path, isSoleUser: true });
        await expect(storage.put('tenant/full', chunks(randomBytes(10)))).rejects.toMatchObject({
          code: 'STORAGE_FULL',
        });
        expect(failingCall).toHaveBeenCalled();
        expect(await storage.put('tenant/full', chunks(randomBytes(10)))).toMatchObject({
          bytes: 10,
        });
      } finally {
        failingCall.mockRestore();
        syncBuiltinESMExports();
        directory.remove();
      }
    },
  );

  it('STORAGE_FULL is thrown if writing fails on a full disk, and no part of the object remains', async () => {
    const directory = temporaryDirectory();
    try {
      const storage = createDiskStorage({ directory: directory.path, isSoleUser: true });
      const content = async function* () {
        yield Buffer.from('x');
        throw diskFull;
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
