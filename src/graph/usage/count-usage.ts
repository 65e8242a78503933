import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseLog } from '../../platform/database/database-log.ts';
import { coordinatesOf } from './coordinates.ts';
import { addUsage } from './stored-usage.ts';

type DocumentUses = { document: DocumentNode; uses: number };

export type UsageCounter = ReturnType<typeof createUsageCounter>;

const storeEveryMs = 60_000;
/** Documents that are counted before their coordinates are looked up. It bounds the memory. */
const documentsMax = 500;

/**
 * Counts which parts of the schema the documents of clients use. A request only adds one to the
 * uses of its document. Once a minute the coordinates of the documents are looked up and stored.
 */
export function createUsageCounter({
  schema,
  database,
  log,
}: {
  schema: GraphQLSchema;
  database: Database;
  log: Pick<DatabaseLog, 'warn'>;
}) {
  const usesByDocument = new Map<DocumentNode, DocumentUses>();
  const coordinates = new WeakMap<DocumentNode, string[]>();
  const pending = new Map<string, number>();

  function addDocuments(): void {
    for (const { document, uses } of usesByDocument.values()) {
      const used = coordinates.get(document) ?? coordinatesOf(schema, document);
      coordinates.set(document, used);
      for (const coordinate of used) pending.set(coordinate, (pending.get(coordinate) ?? 0) + uses);
    }
    usesByDocument.clear();
  }

  /** Stores what was counted. After an error it is stored the next time. */
  async function store(): Promise<void> {
    addDocuments();
    if (pending.size === 0) return;
    const stored = new Map(pending);
    pending.clear();
    try {
      await addUsage(stored, { database });
    } catch (err) {
      for (const [coordinate, uses] of stored)
        pending.set(coordinate, (pending.get(coordinate) ?? 0) + uses);
      log.warn({ err }, 'could not store the usage of the schema');
    }
  }
  const timer = setInterval(() => void store(), storeEveryMs).unref();

  return {
    /** Counts an execution of a valid document. */
    count(document: DocumentNode): void {
      const known = usesByDocument.get(document);
      if (known) known.uses += 1;
      else usesByDocument.set(document, { document, uses: 1 });
      if (usesByDocument.size >= documentsMax) addDocuments();
    },
    store,
    close(): Promise<void> {
      clearInterval(timer);
      return store();
    },
  };
}
