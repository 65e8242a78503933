import { type DocumentNode, type GraphQLSchema, Kind } from 'graphql';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseLog } from '../../platform/database/database-log.ts';
import { createMutex } from '../../platform/mutex.ts';
import { coordinatesOf } from './coordinates.ts';
import { addUsage, type DocumentUsage } from './stored-usage.ts';

type DocumentUses = { document: DocumentNode; text: string; uses: number };

/** What is stored about a document, except how often it was sent. */
type DocumentFacts = Omit<DocumentUsage, 'uses'> & {
  /** Of trusted and other documents alike. */
  usedCoordinates: readonly string[];
};

export type UsageCounter = ReturnType<typeof createUsageCounter>;

const storeEveryMs = 60_000;
/** Documents that are counted before their coordinates are looked up. It bounds the memory. */
const documentsMax = 500;

/**
 * Counts which documents clients send, and which parts of the schema they use. A request only adds
 * one to the uses of its document. Once a minute the coordinates of the documents are looked up and
 * stored. Trusted documents are stored by their hash, and all others together, because anybody can
 * make up documents.
 */
export function createUsageCounter({
  schema,
  trusted,
  database,
  log,
}: {
  schema: GraphQLSchema;
  /** Returns the hash of a trusted document, and undefined for any other. */
  trusted: { hashOf: (text: string) => string | undefined };
  database: Database;
  log: Pick<DatabaseLog, 'warn'>;
}) {
  const usesByDocument = new Map<DocumentNode, DocumentUses>();
  const factsByDocument = new WeakMap<DocumentNode, DocumentFacts>();
  const coordinates = new Map<string, number>();
  const documents = new Map<string, DocumentUsage>();

  function factsOf(document: DocumentNode, text: string): DocumentFacts {
    const known = factsByDocument.get(document);
    if (known) return known;
    const usedCoordinates = coordinatesOf(schema, document);
    const id = trusted.hashOf(text);
    const facts =
      id === undefined
        ? { id: '', operations: [], coordinates: [], usedCoordinates }
        : {
            id,
            operations: operationNamesOf(document),
            coordinates: usedCoordinates,
            usedCoordinates,
          };
    factsByDocument.set(document, facts);
    return facts;
  }

  function addDocuments(): void {
    for (const { document, text, uses } of usesByDocument.values()) {
      const { usedCoordinates, ...facts } = factsOf(document, text);
      for (const coordinate of usedCoordinates) addTo(coordinates, coordinate, uses);
      addDocument({ ...facts, uses });
    }
    usesByDocument.clear();
  }

  function addDocument(usage: DocumentUsage): void {
    const uses = (documents.get(usage.id)?.uses ?? 0) + usage.uses;
    documents.set(usage.id, { ...usage, uses });
  }

  const exclusively = createMutex();

  /** Stores what was counted. After an error it is stored the next time. */
  const store = (): Promise<void> => exclusively(storeCounted);

  async function storeCounted(): Promise<void> {
    addDocuments();
    if (documents.size === 0) return;
    const stored = { coordinates: new Map(coordinates), documents: [...documents.values()] };
    coordinates.clear();
    documents.clear();
    try {
      await addUsage(stored, { database });
    } catch (err) {
      for (const [coordinate, uses] of stored.coordinates) addTo(coordinates, coordinate, uses);
      stored.documents.forEach(addDocument);
      log.warn({ err }, 'could not store the usage of the schema');
    }
  }
  const timer = setInterval(() => void store(), storeEveryMs).unref();

  return {
    /** Counts an execution of a valid document. */
    count(document: DocumentNode, text: string): void {
      const known = usesByDocument.get(document);
      if (known) known.uses += 1;
      else usesByDocument.set(document, { document, text, uses: 1 });
      if (usesByDocument.size >= documentsMax) addDocuments();
    },
    store,
    close(): Promise<void> {
      clearInterval(timer);
      return store();
    },
  };
}

const addTo = (uses: Map<string, number>, name: string, more: number) =>
  uses.set(name, (uses.get(name) ?? 0) + more);

const operationNamesOf = ({ definitions }: DocumentNode): string[] =>
  definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.name ? [definition.name.value] : [],
  );
