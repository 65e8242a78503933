import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { EmbeddedPassage, Passage, TextRange } from '../passage.ts';
import type { CollectionState, DocumentRecord } from './catalog.ts';

/** Where passages are stored and found. Each engine implements all of it. */
export type PassageStore = {
  /** The live documents. This is a view of the store's own state. */
  collections: ReadonlyMap<string, CollectionState>;
  /**
   * Stores a document completely or not at all. Its passages become visible in one instant, in which
   * its earlier version and the document that it replaces disappear.
   */
  put(write: DocumentWrite, batches: PassageBatches): Promise<DocumentRecord>;
  /** Removes the named documents, or all documents of the collection. Returns those it had. */
  remove(collection: string, documents?: readonly string[]): Promise<DocumentRecord[]>;
  passages(
    collection: string,
    document: string,
    range: PassageRange,
  ): Promise<readonly EmbeddedPassage[]>;
  search(collection: string, query: PassageQuery): Promise<SearchHits>;
  /** Rejects if the storage is out of reach. */
  ping(): Promise<unknown>;
  /** Resolves when everything removed so far is gone from the storage. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

export type DocumentWrite = {
  collection: string;
  document: string;
  replaces: string | undefined;
  /** The write fails unless this generation of the document is live when it would become visible. */
  ifGeneration: number | undefined;
  hash: string;
  embedding: string;
  facts: Record<string, unknown>;
};
/** The batches of passages; at the end, facts that are known only then. */
export type PassageBatches = AsyncGenerator<EmbeddedPassage[], Record<string, unknown>>;
/** Passages of one document: by ordinal, or those that overlap a range of its text. */
export type PassageRange = { from: number; limit: number } | TextRange;

export type PassageQuery = {
  text: string | undefined;
  /** The vector of the query in each embedding space. */
  vectors: ReadonlyMap<string, Float32Array>;
  limit: number;
  documents: readonly string[] | undefined;
};
type DocumentHit = Passage & { document: string; score: number };
/** The best passages by keyword and by vector, in the state of the collection at one moment. */
export type SearchHits = {
  embeddings: string[];
  keyword: DocumentHit[];
  vector: (DocumentHit & { embedding: string })[];
};

export type StoreThresholds = {
  /** A recent partition of Lance with this many passages is moved to the main partition. */
  recentPassagesMax: number;
  /** A table of Lance, or an embedding space in Postgres, with this many rows gets a vector index. */
  vectorIndexRowsMin: number;
};

export type PassageStoreOptions = {
  /** A directory, or an address such as s3://bucket/prefix or postgres://user@host/database. */
  location: string;
  storageOptions: Record<string, string>;
  cacheMb: number;
  /** Default: SQLite in a directory, Lance in a bucket, Postgres at its address. */
  engine?: 'sqlite' | 'lance' | 'postgres' | undefined;
  /** When passages are moved and indexes built. Tests set low numbers. */
  thresholds?: StoreThresholds | undefined;
  /** How long to wait for another process that uses the same schema of Postgres. */
  ownershipWaitMs?: number | undefined;
  /** For programs that start together with their Postgres: they wait until it can be reached. */
  waitsForServer?: boolean | undefined;
  clock: Clock;
  log: Log;
};
