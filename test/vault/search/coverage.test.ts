import { expect, test } from 'vitest';
import { withCoverage } from '../../../src/vault/search/coverage.ts';
import { fuse } from '../../../src/vault/search/fuse.ts';

const hit = (document: string, text: string, score: number) => ({
  ...{ document, text, score },
  ...{ ordinal: 0, page: null, headings: [], start: 0, end: text.length },
});
type Texts = Record<string, string>;

/** Candidates of the keyword search, in the order in which they are named. */
const candidates = (texts: Texts) =>
  fuse(
    {
      keyword: Object.entries(texts).map(([name, text], index) => hit(name, text, 10 - index / 10)),
      vector: [],
    },
    () => 1,
  );
const order = (query: string, texts: Texts) =>
  withCoverage(query, candidates(texts)).map(({ document }) => document);

test('A passage with related words of an English question precedes one with a single equal word', () => {
  expect(
    order('Where can I leave my backpack?', {
      closing: 'All visitors leave the rooms ten minutes before six.',
      cloakroom: 'Suitcases and umbrellas are kept in the cloakroom.',
    }),
  ).toEqual(['cloakroom', 'closing']);
});

test('A word that few candidates have decides more than one that all have', () => {
  const texts = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`fee ${index}`, `Membership fee, part ${index}.`]),
  );
  const [first] = order('Is the membership fee lower for pupils?', {
    ...texts,
    school: 'Who goes to school has a lower price as a pupil.',
  });
  expect(first).toBe('school');
});

test('A word in a heading counts like one in the text', () => {
  const [first, second] = candidates({ a: 'It is open until six.', b: 'It is open until eight.' });
  if (!first || !second) throw new Error('two candidates are needed');
  const ordered = withCoverage('When does the museum close?', [
    first,
    { ...second, headings: ['Museum'] },
  ]);
  expect(ordered.map(({ document }) => document)).toEqual(['b', 'a']);
});

test('Questions in other languages, and those without words, keep their order', () => {
  const texts = { a: 'Der Jahresurlaub beträgt dreißig Tage.', b: 'Urlaub wird beantragt.' };
  for (const query of ['Wie viel Urlaub habe ich?', '???', 'what is it?'])
    expect(withCoverage(query, candidates(texts))).toEqual(candidates(texts));
});

test('Passages behind the best thirty are not compared and keep their order', () => {
  const texts = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`passage ${index}`, `The pool, lane ${index}.`]),
  );
  const ordered = withCoverage('Where is the pool?', candidates(texts));
  expect(ordered.filter(({ coverage }) => coverage !== null)).toHaveLength(30);
  expect(ordered.slice(30).map(({ document }) => document)).toEqual(
    Array.from({ length: 10 }, (_, index) => `passage ${index + 30}`),
  );
});

test('What a passage covers is told with its rank and what it adds', () => {
  const [best, other] = withCoverage(
    'opening hours of the pool',
    candidates({ a: 'The pool has opening hours.', b: 'The pool is warm.' }),
  );
  expect(best?.coverage).toMatchObject({ rank: 1, score: 1 });
  expect(other?.coverage?.rank).toBe(2);
  expect(other?.coverage?.score).toBeLessThan(1);
  for (const candidate of [best, other])
    expect(candidate?.fused).toBeCloseTo(
      (candidate?.keyword?.share ?? 0) + (candidate?.coverage?.share ?? 0),
      12,
    );
});
