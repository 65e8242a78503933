import type { DocumentRecord } from '../catalog.ts';
import { keyOf, type Space } from './spaces.ts';
import { everyCollection, type Query, type Transactions } from './transactions.ts';

/** A write of a document whose passages are in the database, whether or not somebody sees them. */
export type StoredGeneration = { number: number; key: string; space: Space };

/** Reads the live documents of all collections. Embedding spaces without passages are removed. */
export async function readRegistry(transactions: Transactions) {
  await transactions.write(everyCollection, async (query) => {
    await query(
      'delete from space where not exists (select from generation where generation.space = space.id)',
    );
    await query(
      `delete from collection
       where not exists (select from space where space.collection = collection.id)
         and not exists (select from document where document.collection = collection.id)`,
    );
  });
  return transactions.read(everyCollection, async (query) => {
    const collections = new Map<string, number>();
    const names = new Map<number, string>();
    for (const row of await query('select id, name from collection')) {
      collections.set(String(row['name']), Number(row['id']));
      names.set(Number(row['id']), String(row['name']));
    }
    const nameOf = (id: unknown): string => names.get(Number(id)) ?? '';
    const { spaces, byId } = await readSpaces(query, nameOf);
    const documents = await query(
      `select collection, document, generation, hash, embedding, passages, facts, updated_at
       from document order by generation`,
    );
    const generations: StoredGeneration[] = [];
    for (const row of await query('select number, space, passages, words from generation')) {
      const stored = byId.get(Number(row['space']));
      if (!stored) continue;
      stored.space.passages += Number(row['passages']);
      stored.space.words += Number(row['words']);
      generations.push({ number: Number(row['number']), ...stored });
    }
    return {
      collections,
      spaces,
      generations,
      documents: documents.map((row) => toDocument(row, nameOf(row['collection']))),
    };
  });
}

async function readSpaces(query: Query, nameOf: (id: unknown) => string) {
  const spaces = new Map<string, Space>();
  const byId = new Map<number, { key: string; space: Space }>();
  for (const row of await query('select id, collection, embedding, dimensions from space')) {
    const key = keyOf({
      collection: nameOf(row['collection']),
      embedding: String(row['embedding']),
    });
    const space = {
      id: Number(row['id']),
      collection: Number(row['collection']),
      dimensions: Number(row['dimensions']),
      passages: 0,
      words: 0,
    };
    spaces.set(key, space);
    byId.set(space.id, { key, space });
  }
  return { spaces, byId };
}

const toDocument = (row: Record<string, unknown>, collection: string): DocumentRecord => ({
  collection,
  document: String(row['document']),
  generation: Number(row['generation']),
  written: Number(row['generation']),
  isRecent: false,
  hash: String(row['hash']),
  embedding: String(row['embedding']),
  passages: Number(row['passages']),
  facts: JSON.parse(String(row['facts'])),
  updatedAt: String(row['updated_at']),
});

/** Reserves generations that no process has had, and returns the last one. */
export const reserveGenerations = (transactions: Transactions, count: number): Promise<number> =>
  transactions.write(everyCollection, async (query) => {
    const [row] = await query('update state set reserved = reserved + $1 returning reserved', [
      count,
    ]);
    return Number(row?.['reserved']);
  });

/** Makes the added documents live, and the removed ones dead, in one transaction. */
export const commitDocuments = (
  transactions: Transactions,
  collection: number,
  added: readonly DocumentRecord[],
  removed: readonly string[],
): Promise<void> =>
  transactions.write(collection, async (query) => {
    if (removed.length > 0)
      await query('delete from document where collection = $1 and document = any($2)', [
        collection,
        removed,
      ]);
    for (const { document, generation, hash, embedding, passages, facts, updatedAt } of added)
      await query(
        `insert into document
           (collection, document, generation, hash, embedding, passages, facts, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (collection, document) do update set
           generation = excluded.generation, hash = excluded.hash, embedding = excluded.embedding,
           passages = excluded.passages, facts = excluded.facts, updated_at = excluded.updated_at`,
        [
          collection,
          document,
          generation,
          hash,
          embedding,
          passages,
          JSON.stringify(facts),
          updatedAt,
        ],
      );
  });
