/** `squares`: the sum of the squares of its numbers. */
export type StoredVector = { id: number; numbers: Float32Array; squares: number };
export type RememberedVectors = {
  /** Whether there is room for so many. Remembering some of them takes more time than it saves. */
  hasRoomFor: (count: number, dimensions: number) => boolean;
  get: (id: number) => StoredVector | undefined;
  add: (vector: StoredVector) => void;
  /** Forgets the vectors of all other ids. */
  keepOnly: (isStored: (id: number) => boolean) => void;
};

/** What a vector takes in memory besides its numbers, about. */
const objectBytes = 250;

/**
 * Vectors that a thread has read, up to `bytesMax` in all files together. Those of the file that was
 * not searched for longest are forgotten first. The vector of an id never changes.
 */
export function createVectorMemory(bytesMax: number) {
  const files = new Map<string, Map<number, StoredVector>>();
  let bytes = 0;
  const sizeOf = ({ numbers }: { numbers: { byteLength: number } }) =>
    numbers.byteLength + objectBytes;

  function forgetOldest(): void {
    for (const [name, vectors] of files) {
      for (const [id, vector] of vectors) {
        bytes -= sizeOf(vector);
        vectors.delete(id);
        return;
      }
      files.delete(name);
    }
  }

  return {
    of(name: string): RememberedVectors {
      const vectors = files.get(name) ?? new Map<number, StoredVector>();
      files.delete(name);
      files.set(name, vectors);
      return {
        hasRoomFor: (count, dimensions) =>
          count *
            sizeOf({ numbers: { byteLength: dimensions * Float32Array.BYTES_PER_ELEMENT } }) <=
          bytesMax,
        get: (id) => vectors.get(id),
        add(vector) {
          vectors.set(vector.id, vector);
          bytes += sizeOf(vector);
          while (bytes > bytesMax) forgetOldest();
        },
        keepOnly(isStored) {
          for (const [id, vector] of vectors) {
            if (isStored(id)) continue;
            vectors.delete(id);
            bytes -= sizeOf(vector);
          }
        },
      };
    },
    forget(name: string): void {
      for (const vector of files.get(name)?.values() ?? []) bytes -= sizeOf(vector);
      files.delete(name);
    },
  };
}
