import { AppError } from '../../../platform/errors.ts';
import { createMutex } from '../../../platform/mutex.ts';
import { type PartitionKey, tableName } from '../catalog.ts';
import { everyCollection, type Transactions } from './transactions.ts';

/** The passages of one collection in one embedding space, with those that nobody sees. */
export type Space = {
  id: number;
  /** The number of the collection. */
  collection: number;
  dimensions: number;
  passages: number;
  /** The number of words of all passages. */
  words: number;
};
type SpaceKey = Omit<PartitionKey, 'isRecent'>;

export const keyOf = ({ collection, embedding }: SpaceKey): string =>
  tableName({ collection, embedding, isRecent: false });

type StoredSpaces = { collections: Map<string, number>; spaces: Map<string, Space> };

export type Spaces = ReturnType<typeof createSpaces>;

/** The numbers of collections and embedding spaces. Only this process adds any. */
export function createSpaces(transactions: Transactions, { collections, spaces }: StoredSpaces) {
  const withLock = createMutex();

  const requireCollection = async (name: string): Promise<number> => {
    const existing = collections.get(name);
    if (existing !== undefined) return existing;
    const id = await transactions.write(everyCollection, async (query) => {
      const [row] = await query<{ id: number }>(
        'insert into collection (name) values ($1) returning id',
        [name],
      );
      return Number(row?.id);
    });
    collections.set(name, id);
    return id;
  };
  const requireSpace = async (key: SpaceKey, dimensions: number): Promise<Space> => {
    const existing = spaces.get(keyOf(key));
    if (existing) return existing;
    const collection = await requireCollection(key.collection);
    const id = await transactions.write(collection, async (query) => {
      const [row] = await query<{ id: number }>(
        'insert into space (collection, embedding, dimensions) values ($1, $2, $3) returning id',
        [collection, key.embedding, dimensions],
      );
      return Number(row?.id);
    });
    const space = { id, collection, dimensions, passages: 0, words: 0 };
    spaces.set(keyOf(key), space);
    return space;
  };

  return {
    all: () => spaces.values(),
    find: (key: SpaceKey): Space | undefined => spaces.get(keyOf(key)),
    collectionOf: (name: string): number | undefined => collections.get(name),
    requireCollection: (name: string): Promise<number> => withLock(() => requireCollection(name)),
    /** The space of a key, which is added if it does not exist. */
    async require(key: SpaceKey, dimensions: number): Promise<Space> {
      const space = spaces.get(keyOf(key)) ?? (await withLock(() => requireSpace(key, dimensions)));
      if (space.dimensions !== dimensions)
        throw new AppError(
          'BAD_INPUT',
          `A vector of ${key.embedding} has ${space.dimensions} numbers in this collection`,
        );
      return space;
    },
  };
}
