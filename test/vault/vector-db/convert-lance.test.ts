import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { lockDirectory } from '../../../src/platform/database/lock.ts';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import type { PassageBatches } from '../../../src/vault/vector-db/passage-store.ts';
import { openSqliteStore } from '../../../src/vault/vector-db/sqlite/open-store.ts';
import { passagesOf, vectorOf } from '../../support/passages.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { recordLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

const metadata = { hash: 'f'.repeat(64), embedding: 'letters-1', facts: { pages: 3 } };

/** A directory that an earlier version wrote, with two collections of 1,201 passages and one. */
async function lanceDirectory() {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const location = join(directory.path, 'vectors');
  const database = await startVectorDb(location, recordLog().log, { engine: 'lance' });
  const client = createVectorDbClient({ url: database.url, secret: vaultSecret });
  const texts = Array.from({ length: 1_200 }, (_, index) => `large passage ${index}`);
  await client.put('first', 'large', metadata, passagesOf(texts));
  await client.put('first', 'small', metadata, passagesOf(['small words']));
  await client.put('second', 'other', metadata, passagesOf(['other words']));
  await client.put('second', 'gone', metadata, passagesOf(['gone words']));
  await client.remove('second', 'gone');
  await database.stop();
  return location;
}

async function expectAll(location: string) {
  const database = await startVectorDb(location, recordLog().log);
  onTestFinished(database.stop);
  const client = createVectorDbClient({ url: database.url, secret: vaultSecret });
  expect(await client.document('first', 'large')).toMatchObject({
    ...metadata,
    passages: 1_200,
  });
  expect((await client.passages('first', 'large', { from: 1_199 })).passages).toEqual([
    expect.objectContaining({ ordinal: 1_199, text: 'large passage 1199', page: 1_200 }),
  ]);
  const { keyword, vector } = await client.search('first', {
    text: 'small',
    vectors: { 'letters-1': vectorOf('small words') },
    limit: 1,
  });
  expect([keyword[0]?.text, vector[0]?.text]).toEqual(['small words', 'small words']);
  expect((await client.search('second', { text: 'words', limit: 9 })).keyword).toHaveLength(1);
  expect(readdirSync(location).filter((name) => !name.includes('.sqlite'))).toEqual([]);
}

it('A directory of an earlier version is converted at the start', async () => {
  await expectAll(await lanceDirectory());
});

it('A directory that an earlier version still uses is not converted', async () => {
  const location = await lanceDirectory();
  const files = readdirSync(location);
  const unlock = lockDirectory(location);
  await expect(startVectorDb(location, recordLog().log)).rejects.toThrow('stop that one');
  unlock();
  expect(readdirSync(location)).toEqual(files);
  await expectAll(location);
});

it('A conversion that was killed while it copied goes on', async () => {
  const location = await lanceDirectory();
  const target = join(location, 'converted');
  const copy = await openSqliteStore({
    location: target,
    cacheMb: 16,
    clock: systemClock,
    log: recordLog().log,
  });
  async function* incomplete(): PassageBatches {
    yield [];
    throw new Error('killed');
  }
  const write = { collection: 'first', document: 'large', ...metadata };
  await expect(
    copy.put({ ...write, replaces: undefined, ifGeneration: undefined }, incomplete()),
  ).rejects.toThrow('killed');
  await copy.close();
  await expectAll(location);
});
