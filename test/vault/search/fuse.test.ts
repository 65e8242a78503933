import { expect, test } from 'vitest';
import { fuse } from '../../../src/vault/search/fuse.ts';

const hit = (document: string, score: number) => ({
  document,
  ordinal: 0,
  text: document,
  page: null,
  headings: [],
  start: 0,
  end: document.length,
  score,
});
const near = (document: string, score: number, embedding = 'one') => ({
  ...hit(document, score),
  embedding,
});
const even = () => 1;
const order = (found: Parameters<typeof fuse>[0]) =>
  fuse(found, even).map(({ document }) => document);

test('a passage in both lists comes before those that lead one list alone', () => {
  expect(
    order({ keyword: [hit('a', 9), hit('both', 8)], vector: [near('b', 0.9), near('both', 0.8)] }),
  ).toEqual(['both', 'a', 'b']);
});

test('what every list gave a passage stays with it', () => {
  const [first] = fuse({ keyword: [hit('a', 9)], vector: [near('a', 0.9)] }, () => 0.5);
  expect(first).toMatchObject({ keyword: { rank: 1, score: 9 }, vector: { rank: 1, score: 0.9 } });
  expect(first?.fused).toBeCloseTo(1.5 / 61);
});

test('passages of different spaces are not measured against each other', () => {
  const vector = [near('a', 0.9, 'one'), near('b', 0.8, 'one'), near('c', 0.1, 'other')];
  expect(
    fuse({ keyword: [], vector }, even).map(({ document, vector: place }) => [
      document,
      place?.rank,
    ]),
  ).toEqual([
    ['a', 1],
    ['c', 1],
    ['b', 2],
  ]);
});

test('passages of the same worth have one order, however they came', () => {
  expect(order({ keyword: [hit('b', 1)], vector: [near('a', 1)] })).toEqual(['a', 'b']);
  expect(order({ keyword: [hit('a', 1)], vector: [near('b', 1)] })).toEqual(['a', 'b']);
});
