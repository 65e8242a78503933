import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedByHashing } from '../../../src/vault/embed/hashing.ts';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { linesOfLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
let state = seed;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const textOf = () =>
  Array.from({ length: 30 }, () => `word${Math.floor(3_000 * random() ** 3)}`).join(' ');

const directory = temporaryDirectory();
const location = join(directory.path, 'vectors');
const about = { hash: 'b'.repeat(64), embedding: 'hashing-256-1', facts: {} };
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
  client.put(collection, document, about, passagesOf(texts));
const filesWith = (word: string) =>
  readdirSync(location, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(word));

beforeAll(async () => {
  process.stdout.write(`growth of the vector database: seed ${seed}\n`);
  database = await startVectorDb(location, linesOfLog().log, {
    recentPassagesMax: 40,
    vectorIndexRowsMin: 1_500,
  });
  client = createVectorDbClient({ url: database.url, secret: vaultSecret });
});
afterAll(async () => {
  await database.stop();
  directory.remove();
});

describe('a collection that grows', () => {
  it('answers rightly before, while and after passages are moved and vectors are indexed', async () => {
    const texts = new Map<string, readonly string[]>();
    const store = async (document: string, count: number) => {
      const own = Array.from(
        { length: count },
        (_, index) => `${textOf()} own${document}of${index}`,
      );
      await put('grows', document, own);
      texts.set(document, own);
    };
    const wrong: string[] = [];
    let asked = 0;
    let over = false;
    const ask = async () => {
      const documents = [...texts];
      const [document, own] = documents[Math.floor(random() * documents.length)] ?? ['', []];
      const ordinal = Math.floor(random() * own.length);
      const text = own[ordinal] ?? '';
      const found = await client.search('grows', {
        text: `own${document}of${ordinal}`,
        vectors: { [about.embedding]: embedByHashing(text) },
        limit: 20,
      });
      const exact = found.keyword.map((hit) => `${hit.document}/${hit.ordinal}`).join();
      if (exact !== `${document}/${ordinal}`)
        wrong.push(`words of ${document}/${ordinal}: ${exact}`);
      const near = found.vector.map((hit) => `${hit.document}/${hit.ordinal}`);
      if (near.length !== 20 || new Set(near).size !== 20)
        wrong.push(`twice or too few near ${document}/${ordinal}: ${near.join()}`);
      const [best] = found.vector;
      if (best?.text !== text || Math.abs((best?.score ?? 0) - 1) > 0.02)
        wrong.push(`nearest to ${document}/${ordinal}: ${near[0]} ${best?.score}`);
      asked += 1;
    };
    await store('large', 1_400);
    const asking = (async () => {
      while (!over) await ask();
    })();
    for (let round = 0; round < 24; round++)
      await store(`small${round}`, 1 + Math.floor(random() * 12));
    await store('later', 1_100);
    await database.settled();
    over = true;
    await asking;
    for (let round = 0; round < 20; round++) await ask();
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(20);

    const all = [...texts].flatMap(([document, own]) =>
      own.map((text, ordinal) => ({ at: `${document}/${ordinal}`, vector: embedByHashing(text) })),
    );
    let right = 0;
    for (let round = 0; round < 30; round++) {
      const question = embedByHashing(textOf().split(' ').slice(0, 8).join(' '));
      const scored = all.map(({ at, vector }) => ({
        at,
        score: vector.reduce((sum, value, index) => sum + value * (question[index] ?? 0), 0),
      }));
      const least = scored.toSorted((one, other) => other.score - one.score)[49]?.score ?? 0;
      const truth = new Map(scored.map(({ at, score }) => [at, score]));
      const { vector } = await client.search('grows', {
        vectors: { [about.embedding]: question },
        limit: 50,
      });
      right += vector.filter(
        (hit) => (truth.get(`${hit.document}/${hit.ordinal}`) ?? 0) >= least - 1e-6,
      ).length;
    }
    process.stdout.write(`recall of the vector index: ${(right / 1_500).toFixed(3)}\n`);
    expect(right / 1_500).toBeGreaterThanOrEqual(0.95);
  });

  it('places what came today among what came long ago by how rare its words are in both', async () => {
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

  it('leaves no word of what was deleted or replaced in any file', async () => {
    await put('canaries', 'one', ['kept words', 'qvcanaryone flies']);
    await put('canaries', 'two', ['qvcanarytwo flies', 'more words']);
    await put('canaries', 'stays', ['qvcanarystays here']);
    expect(filesWith('qvcanaryone')).not.toEqual([]);
    await client.remove('canaries', 'one');
    await put('canaries', 'two', ['other words']);
    await database.settled();
    expect([...filesWith('qvcanaryone'), ...filesWith('qvcanarytwo')]).toEqual([]);
    expect(filesWith('qvcanarystays')).not.toEqual([]);
    await client.removeCollection('canaries');
    await database.settled();
    expect(filesWith('qvcanarystays')).toEqual([]);
  });
});
