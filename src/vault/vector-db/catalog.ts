import { notFound } from '../../platform/errors.ts';
import { hashName } from '../../platform/hash.ts';

/** A live document: one generation of passages in a partition of its collection. */
export type DocumentRecord = {
  collection: string;
  document: string;
  generation: number;
  hash: string;
  embedding: string;
  /**
   * The passages are in the small table of recent documents, not yet in the main table. Only Lance
   * has tables of recent documents.
   */
  isRecent: boolean;
  /**
   * The generation under which the document was first stored. Moving it to the main table gives it a
   * new generation, but this number stays.
   */
  written: number;
  passages: number;
  facts: Record<string, unknown>;
  updatedAt: string;
};

/**
 * Identifies the table or file of a set of passages: one main and one recent partition for each
 * embedding of a collection.
 */
export type PartitionKey = { collection: string; embedding: string; isRecent: boolean };
type Partition = PartitionKey & { documents: number; passages: number };
export type CollectionState = {
  documents: Map<string, DocumentRecord>;
  partitions: Map<string, Partition>;
};

/** The live document of this name. Throws NOT_FOUND if there is none. */
export function documentIn(
  collections: ReadonlyMap<string, CollectionState>,
  collection: string,
  document: string,
): DocumentRecord {
  const record = collections.get(collection)?.documents.get(document);
  if (!record) throw notFound('Document');
  return record;
}

/** A copy of the registry in memory: the live documents and the counts of each partition. */
export function createCatalog(records: Iterable<DocumentRecord>) {
  const collections = new Map<string, CollectionState>();
  const documentNames = new Map<number, string>();

  const collectionOf = (name: string): CollectionState => {
    const collection = collections.get(name) ?? { documents: new Map(), partitions: new Map() };
    collections.set(name, collection);
    return collection;
  };
  const add = (record: DocumentRecord) => {
    const { documents, partitions } = collectionOf(record.collection);
    const { collection, embedding, isRecent } = record;
    const partition = partitions.get(tableName(record)) ?? {
      collection,
      embedding,
      isRecent,
      documents: 0,
      passages: 0,
    };
    partition.documents += 1;
    partition.passages += record.passages;
    partitions.set(tableName(record), partition);
    documents.set(record.document, record);
    documentNames.set(record.generation, record.document);
  };
  for (const record of records) add(record);

  return {
    collections,
    add,
    remove(record: DocumentRecord) {
      const { documents, partitions } = collectionOf(record.collection);
      const partition = partitions.get(tableName(record));
      documents.delete(record.document);
      if (partition) {
        partition.documents -= 1;
        partition.passages -= record.passages;
        if (partition.documents === 0) partitions.delete(tableName(record));
      }
      if (documents.size === 0) collections.delete(record.collection);
    },
    /**
     * The document of a generation. Removed generations are found too until `forget`, because
     * searches that began before the removal still return their passages.
     */
    documentOf: (generation: number): string | undefined => documentNames.get(generation),
    forget: (generation: number): boolean => documentNames.delete(generation),
  };
}

export type DocumentCatalog = ReturnType<typeof createCatalog>;

export const tablePrefix = 'passages-';
/** Part of the names of stored tables, so existing deployments depend on this exact text. */
const recentTableSuffix = '-fresh';

export function tableName({ collection, embedding, isRecent }: PartitionKey): string {
  const hash = Buffer.from(hashName(`${collection}\n${embedding}`), 'base64').toString('hex');
  return `${tablePrefix}${hash.slice(0, 40)}${isRecent ? recentTableSuffix : ''}`;
}
