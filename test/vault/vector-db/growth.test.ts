import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedByHashing } from '../../../src/vault/embed/hashing.ts';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { recordLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';
import { type VectorLocation, vectorEngines } from '../../support/vector-engines.ts';

const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
let state = seed;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const textOf = () =>
  Array.from({ length: 30 }, () => `word${Math.floor(3_000 * random() ** 3)}`).join(' ');

/**
 * The passages from which on vectors are indexed. As WebAssembly, Postgres takes a minute for the
 * index of so many that Lance needs for one.
 */
const indexedFrom = (engine: string) => (engine === 'postgres in this process' ? 300 : 1_500);

describe.each(vectorEngines)('a vector database with $name', ({ name, open }) => {
  const vectorIndexRowsMin = indexedFrom(name);
  let storage: VectorLocation;
  const metadata = { hash: 'b'.repeat(64), embedding: 'hashing-256-1', facts: {} };
  let database: Awaited<ReturnType<typeof startVectorDb>>;
  let client: ReturnType<typeof createVectorDbClient>;

  async function* passagesOf(texts: readonly string[]) {
    for (const [ordinal, text] of texts.entries())
      yield {
        ordinal,
        text,
        page: null,
        headings: [],
        start: 0,
        end: text.length,
        vector: embedByHashing(text),
      };
  }
  const put = (collection: string, document: string, texts: readonly string[]) =>
    client.put(collection, document, metadata, passagesOf(texts));
  beforeAll(async () => {
    process.stdout.write(`growth of the vector database: seed ${seed}\n`);
    storage = await open();
    database = await startVectorDb(storage.location, recordLog().log, {
      ...storage,
      thresholds: { recentPassagesMax: 40, vectorIndexRowsMin },
    });
    client = createVectorDbClient({ url: database.url, secret: vaultSecret });
  });
  afterAll(async () => {
    await database.stop();
    await storage.remove();
  });

  describe('a growing collection', () => {
    it('Searches are correct before, during and after moving passages and indexing vectors', async () => {
      const texts = new Map<string, readonly string[]>();
      const storeDocument = async (document: string, count: number) => {
        const passageTexts = Array.from(
          { length: count },
          (_, index) => `${textOf()} own${document}of${index}`,
        );
        await put('grows', document, passageTexts);
        texts.set(document, passageTexts);
      };
      const mistakes: string[] = [];
      let searches = 0;
      let isOver = false;
      const searchOnce = async () => {
        const documents = [...texts];
        const [document, passageTexts] = documents[Math.floor(random() * documents.length)] ?? [
          '',
          [],
        ];
        const ordinal = Math.floor(random() * passageTexts.length);
        const text = passageTexts[ordinal] ?? '';
        const result = await client.search('grows', {
          text: `own${document}of${ordinal}`,
          vectors: { [metadata.embedding]: embedByHashing(text) },
          limit: 20,
        });
        const keywordHits = result.keyword.map((hit) => `${hit.document}/${hit.ordinal}`).join();
        if (keywordHits !== `${document}/${ordinal}`)
          mistakes.push(`words of ${document}/${ordinal}: ${keywordHits}`);
        const nearest = result.vector.map((hit) => `${hit.document}/${hit.ordinal}`);
        if (nearest.length !== 20 || new Set(nearest).size !== 20)
          mistakes.push(`twice or too few nearest ${document}/${ordinal}: ${nearest.join()}`);
        const [best] = result.vector;
        if (best?.text !== text || Math.abs((best?.score ?? 0) - 1) > 0.02)
          mistakes.push(`nearest to ${document}/${ordinal}: ${nearest[0]} ${best?.score}`);
        searches += 1;
      };
      await storeDocument('large', Math.round(0.93 * vectorIndexRowsMin));
      const searching = (async () => {
        while (!isOver) await searchOnce();
      })();
      for (let round = 0; round < 24; round++)
        await storeDocument(`small${round}`, 1 + Math.floor(random() * 12));
      await storeDocument('later', Math.round(0.73 * vectorIndexRowsMin));
      await database.settled();
      isOver = true;
      await searching;
      for (let round = 0; round < 20; round++) await searchOnce();
      expect(mistakes).toEqual([]);
      expect(searches).toBeGreaterThan(20);

      const all = [...texts].flatMap(([document, passageTexts]) =>
        passageTexts.map((text, ordinal) => ({
          at: `${document}/${ordinal}`,
          vector: embedByHashing(text),
        })),
      );
      let correct = 0;
      for (let round = 0; round < 30; round++) {
        const question = embedByHashing(textOf().split(' ').slice(0, 8).join(' '));
        const scored = all.map(({ at, vector }) => ({
          at,
          score: vector.reduce((sum, value, index) => sum + value * (question[index] ?? 0), 0),
        }));
        const scoreMin = scored.toSorted((a, b) => b.score - a.score)[49]?.score ?? 0;
        const trueScores = new Map(scored.map(({ at, score }) => [at, score]));
        const { vector } = await client.search('grows', {
          vectors: { [metadata.embedding]: question },
          limit: 50,
        });
        correct += vector.filter(
          (hit) => (trueScores.get(`${hit.document}/${hit.ordinal}`) ?? 0) >= scoreMin - 1e-6,
        ).length;
      }
      process.stdout.write(`recall of the vector index: ${(correct / 1_500).toFixed(3)}\n`);
      expect(correct / 1_500).toBeGreaterThanOrEqual(0.95);
    });

    it('Recent passages are ranked among old ones by the word frequencies of the main table', async () => {
      await put(
        'scales',
        'old',
        Array.from({ length: 1_200 }, (_, index) => `common words stand here ${index}`),
      );
      await put('scales', 'new', [
        'the zebra has common stripes',
        'common words stand here too',
        'common words stand here again',
      ]);
      const { keyword } = await client.search('scales', { text: 'common zebra', limit: 10 });
      expect(keyword[0]?.text).toBe('the zebra has common stripes');
      const common = await client.search('scales', { text: 'common words 77', limit: 10 });
      expect(common.keyword[0]?.text).toBe('common words stand here 77');
    });

    it('Deleted and replaced text is in no file and no table', async () => {
      await put('canaries', 'one', ['kept words', 'qvcanaryone flies']);
      await put('canaries', 'two', ['qvcanarytwo flies', 'more words']);
      await put('canaries', 'stays', ['qvcanarystays here']);
      expect(await storage.placesWith('qvcanaryone')).not.toEqual([]);
      await client.remove('canaries', 'one');
      await put('canaries', 'two', ['other words']);
      await database.settled();
      expect(await storage.placesWith('qvcanaryone', 'qvcanarytwo')).toEqual([]);
      expect(await storage.placesWith('qvcanarystays')).not.toEqual([]);
      await client.removeCollection('canaries');
      await database.settled();
      expect(await storage.placesWith('qvcanarystays')).toEqual([]);
    });
  });
});
