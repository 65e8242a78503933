import { expect, test } from 'vitest';
import { fuse } from '../../../src/vault/search/fuse.ts';

const keywordHit = (document: string, score: number) => ({
  document,
  ordinal: 0,
  text: document,
  page: null,
  headings: [],
  start: 0,
  end: document.length,
  score,
});
const vectorHit = (document: string, score: number, embedding = 'one') => ({
  ...keywordHit(document, score),
  embedding,
});
const equalWeight = () => 1;
const fusedOrder = (hits: Parameters<typeof fuse>[0]) =>
  fuse(hits, equalWeight).map(({ document }) => document);

test('A passage in both lists precedes passages that are first in only one list', () => {
  expect(
    fusedOrder({
      keyword: [keywordHit('a', 9), keywordHit('both', 8)],
      vector: [vectorHit('b', 0.9), vectorHit('both', 0.8)],
    }),
  ).toEqual(['both', 'a', 'b']);
});

test('A candidate keeps its rank and score from every list', () => {
  const [first] = fuse({ keyword: [keywordHit('a', 9)], vector: [vectorHit('a', 0.9)] }, () => 0.5);
  expect(first).toMatchObject({ keyword: { rank: 1, score: 9 }, vector: { rank: 1, score: 0.9 } });
  expect(first?.fused).toBeCloseTo(1.5);
});

test('Scores of different embedding spaces are not compared', () => {
  const vector = [
    vectorHit('a', 0.9, 'one'),
    vectorHit('b', 0.8, 'one'),
    vectorHit('c', 0.1, 'other'),
  ];
  expect(
    fuse({ keyword: [], vector }, equalWeight).map(({ document, vector: position }) => [
      document,
      position?.rank,
    ]),
  ).toEqual([
    ['a', 1],
    ['c', 1],
    ['b', 2],
  ]);
});

test('Passages with equal scores always have the same order', () => {
  expect(fusedOrder({ keyword: [keywordHit('b', 1)], vector: [vectorHit('a', 1)] })).toEqual([
    'a',
    'b',
  ]);
  expect(fusedOrder({ keyword: [keywordHit('a', 1)], vector: [vectorHit('b', 1)] })).toEqual([
    'a',
    'b',
  ]);
});

test('A passage that is far better by keyword stays before one that is slightly better by vector', () => {
  expect(
    fusedOrder({
      keyword: [keywordHit('a', 9), keywordHit('b', 2)],
      vector: [vectorHit('b', 0.9), vectorHit('a', 0.89), vectorHit('c', 0.5)],
    }),
  ).toEqual(['a', 'b', 'c']);
});
