import { hashName } from '../../platform/hash.ts';
import type { DocumentRecord } from './registry.ts';

/** What says in which table passages lie. */
export type Place = { collection: string; embedding: string; isFresh: boolean };
type Shelf = Place & { documents: number; passages: number };
export type Collection = { documents: Map<string, DocumentRecord>; shelves: Map<string, Shelf> };

/** What lives, as the registry says, in memory. */
export function createCatalog(records: Iterable<DocumentRecord>) {
  const collections = new Map<string, Collection>();
  const names = new Map<number, string>();

  const collectionOf = (name: string): Collection => {
    const known = collections.get(name) ?? { documents: new Map(), shelves: new Map() };
    collections.set(name, known);
    return known;
  };
  const show = (record: DocumentRecord) => {
    const { documents, shelves } = collectionOf(record.collection);
    const { collection, embedding, isFresh } = record;
    const shelf = shelves.get(tableName(record)) ?? {
      collection,
      embedding,
      isFresh,
      documents: 0,
      passages: 0,
    };
    shelf.documents += 1;
    shelf.passages += record.passages;
    shelves.set(tableName(record), shelf);
    documents.set(record.document, record);
    names.set(record.generation, record.document);
  };
  for (const record of records) show(record);

  return {
    collections,
    show,
    take(record: DocumentRecord) {
      const { documents, shelves } = collectionOf(record.collection);
      const shelf = shelves.get(tableName(record));
      documents.delete(record.document);
      if (shelf) {
        shelf.documents -= 1;
        shelf.passages -= record.passages;
        if (shelf.documents === 0) shelves.delete(tableName(record));
      }
      if (documents.size === 0) collections.delete(record.collection);
    },
    /** Also of one that has died, for the searches that began before, until it is forgotten. */
    documentOf: (generation: number): string | undefined => names.get(generation),
    forget: (generation: number): boolean => names.delete(generation),
  };
}

export type Catalog = ReturnType<typeof createCatalog>;

export const tablePrefix = 'passages-';

export function tableName({ collection, embedding, isFresh }: Place): string {
  const hash = Buffer.from(hashName(`${collection}\n${embedding}`), 'base64').toString('hex');
  return `${tablePrefix}${hash.slice(0, 40)}${isFresh ? '-fresh' : ''}`;
}
