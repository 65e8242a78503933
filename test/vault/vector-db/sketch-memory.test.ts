import { expect, test } from 'vitest';
import { idOf } from '../../../src/vault/vector-db/sqlite/passage-file.ts';
import {
  productTable,
  sketchBytes,
  sketchesOf,
} from '../../../src/vault/vector-db/sqlite/sketch.ts';
import { createSketchMemory } from '../../../src/vault/vector-db/sqlite/sketch-memory.ts';
import { mulberry32 } from '../../support/mulberry32.ts';

const dimensions = 21;

type StoredPassages = { version: number; first: number; vectors: Float32Array[] };

test.each([1, 2, 3])(
  'The nearest sketches are those with the largest products, whatever was added and removed (seed %i)',
  (seed) => {
    const random = mulberry32(seed);
    const vectorOf = () => Float32Array.from({ length: dimensions }, () => random() - 0.5);
    const memory = createSketchMemory(dimensions);
    let stored: StoredPassages[] = [];
    const add = (version: number, count: number) => {
      const first = Math.floor(random() * 50);
      const vectors = Array.from({ length: count }, vectorOf);
      memory.add(version, first, sketchesOf(vectors));
      stored.push({ version, first, vectors });
    };
    const productsOf = (vector: Float32Array, isSeen: (version: number) => boolean) => {
      const table = productTable(vector);
      const bytesEach = sketchBytes(dimensions);
      return stored
        .filter(({ version }) => isSeen(version))
        .flatMap(({ version, first, vectors }) => {
          const sketches = sketchesOf(vectors);
          return vectors.map((_, at) => ({
            id: idOf(version, first + at),
            product: sketches
              .subarray(at * bytesEach, (at + 1) * bytesEach)
              .reduce((sum, value, byte) => sum + (table[byte * 256 + value] ?? 0), 0),
          }));
        });
    };
    const check = (isSeen: (version: number) => boolean) => {
      // A short question has numbers in few places.
      const vector = vectorOf().map((number, at) => (at % 5 === 0 ? number : 0));
      const products = productsOf(vector, isSeen);
      const { total, nearest } = memory.select(isSeen);
      expect(total).toBe(products.length);
      expect(nearest(vector, total).sort()).toEqual(products.map(({ id }) => id).sort());
      const count = Math.floor(total / 10);
      const ids = new Set(nearest(vector, count));
      expect(ids.size).toBe(count);
      const productOf = (isNear: boolean) =>
        products.filter(({ id }) => ids.has(id) === isNear).map(({ product }) => product);
      if (count > 0 && count < total)
        expect(Math.min(...productOf(true))).toBeGreaterThan(Math.max(...productOf(false)) - 0.01);
    };
    for (let version = 1; version <= 60; version += 1) {
      add(version, version % 9 === 0 ? 1_500 : 1 + Math.floor(random() * 40));
      if (version % 7 === 0) {
        const isKept = (candidate: number) => candidate % 7 !== version % 5;
        memory.keepOnly(isKept);
        stored = stored.filter((passages) => isKept(passages.version));
        check(() => true);
        check((candidate) => candidate % 3 === 0);
      }
    }
    check(() => true);
    check((version) => version === 59);
  },
);
