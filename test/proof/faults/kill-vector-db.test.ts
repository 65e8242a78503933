import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { passagesOf, vectorOf } from '../../support/passages.ts';
import { rounds as cycles } from '../../support/rounds.ts';
import { startVectorDbProcess } from '../../support/start-vector-db-process.ts';
import { recordLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';
import { type VectorLocation, vectorEngines } from '../../support/vector-engines.ts';

const writers = 3;
const metadata = { hash: 'c'.repeat(64), embedding: 'letters-1', facts: {} };
const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
let state = seed;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

describe.each(vectorEngines)('a vector database with $name', ({ open }) => {
  let storage: VectorLocation;
  beforeAll(async () => {
    storage = await open();
  });
  let child: Awaited<ReturnType<typeof startVectorDbProcess>>['child'] | undefined;
  afterAll(async () => {
    child?.kill('SIGKILL');
    await storage.remove();
  });

  /**
   * The word that all passages of this version contain, and no other version; null if there is no
   * document.
   */
  type DocumentVersion = { word: string; passages: number } | null;
  const possibleVersions = new Map<string, DocumentVersion[]>();
  const usedWords = new Set<string>();

  async function start() {
    const started = await startVectorDbProcess(storage);
    child = started.child;
    return started;
  }

  type VectorDbClient = ReturnType<typeof createVectorDbClient>;

  async function write(client: VectorDbClient, document: string) {
    const word = `qv${Math.floor(random() * 2 ** 31).toString(36)}`;
    usedWords.add(word);
    const before = possibleVersions.get(document) ?? [null];
    const after: DocumentVersion =
      random() < 0.25 ? null : { word, passages: 1 + Math.floor(random() * 8) };
    possibleVersions.set(document, [...before, after]);
    if (after)
      await client.put(
        'killed',
        document,
        metadata,
        passagesOf(Array.from({ length: after.passages }, () => `${word} shared`)),
      );
    else await client.remove('killed', document);
    possibleVersions.set(document, [after]);
  }

  /** Checks that the document list, keyword search and vector search return the same version. */
  async function check(client: VectorDbClient, document: string): Promise<string | undefined> {
    const versions = possibleVersions.get(document) ?? [null];
    const record = await client.document('killed', document);
    const passages = record
      ? (await client.passages('killed', document, { limit: 100 })).passages
      : [];
    const match = versions.find(
      (version) =>
        version?.passages === record?.passages &&
        passages.every(({ text }) => text === `${version?.word} shared`),
    );
    if (match === undefined || passages.length !== (record?.passages ?? 0))
      return `${document}: ${JSON.stringify({ versions, record, passages })}`;
    possibleVersions.set(document, [match]);
    const searchInput = {
      text: 'shared',
      vectors: { [metadata.embedding]: vectorOf('shared') },
      limit: 200,
      documents: [document],
    };
    const result = await client
      .search('killed', searchInput)
      .catch(() => ({ keyword: [], vector: [] }));
    for (const hits of [result.keyword, result.vector]) {
      const ordinals = hits
        .filter(({ text }) => text === `${match?.word} shared`)
        .map(({ ordinal }) => ordinal);
      if (hits.length !== (match?.passages ?? 0) || new Set(ordinals).size !== hits.length)
        return `${document}: searched ${JSON.stringify({ match, hits })}`;
    }
    return undefined;
  }

  it('After kills at random moments, acknowledged writes are stored, no document is partial or duplicated, and leftovers are deleted', {
    timeout: 60_000 + cycles * 10_000,
  }, async () => {
    process.stdout.write(`kills of the vector database: seed ${seed}\n`);
    const names = Array.from({ length: writers * 3 }, (_, index) => `doc${index}`);
    for (let cycle = 0; cycle < cycles; cycle++) {
      const { client, ended } = await start();
      const faults = (await Promise.all(names.map((name) => check(client, name)))).filter(
        (fault) => fault !== undefined,
      );
      expect(faults).toEqual([]);
      let killed = false;
      const writing = Array.from({ length: writers }, async (_, writer) => {
        // Each document has one writer, so the order of its versions is known.
        while (!killed)
          await write(client, `doc${writer * 3 + Math.floor(random() * 3)}`).catch(() => wait(5));
      });
      await wait(100 + random() * 500);
      killed = true;
      child?.kill('SIGKILL');
      await ended;
      await Promise.all(writing);
    }
    const database = await startVectorDb(storage.location, recordLog().log, {
      ...storage,
      // These tables are too small for a vector index: with one, Lance keeps deleted text until it
      // rewrites its files.
      thresholds: { recentPassagesMax: 12, vectorIndexRowsMin: 500 },
    });
    await database.settled();
    const client = createVectorDbClient({ url: database.url, secret: vaultSecret });
    expect(
      (await Promise.all(names.map((name) => check(client, name)))).filter(
        (fault) => fault !== undefined,
      ),
    ).toEqual([]);
    const liveWords = [...possibleVersions.values()].flatMap(([version]) =>
      version ? [version.word] : [],
    );
    // Lance serves buckets, where the next deletion removes the files that a killed write left.
    if (storage.engine !== 'lance')
      expect(
        await storage.placesWith(...[...usedWords].filter((word) => !liveWords.includes(word))),
      ).toEqual([]);
    expect(liveWords.length === 0 || (await storage.placesWith(...liveWords)).length > 0).toBe(
      true,
    );
    await database.stop();
  });
});
