import { expect, test } from 'vitest';
import { withoutNearDuplicates } from '../../../src/vault/search/near-duplicates.ts';

const policy =
  'Every employee who works more than six hours a day takes a break of half an hour, which does not count as working time. ' +
  'The break may be cut into two parts of a quarter of an hour each, and it is never taken at the very end of the day.';

function keptOf(...texts: string[]) {
  let removed = 0;
  const kept = [
    ...withoutNearDuplicates(
      texts.map((text) => ({ text })),
      () => removed++,
    ),
  ].map(({ text }) => text);
  return { kept, removed };
}

test('of passages that say the same, the first stays and the others are counted', () => {
  const copy = policy.replace('very end', 'end');
  expect(keptOf(policy, policy.toUpperCase(), 'Something else', copy)).toEqual({
    kept: [policy, 'Something else'],
    removed: 2,
  });
});

test('passages that differ in a number both stay', () => {
  const rows = [
    'Hotel in Berlin, one night, breakfast included: 120 euros',
    'Hotel in Berlin, one night, breakfast included: 140 euros',
  ];
  expect(keptOf(...rows).kept).toEqual(rows);
});

test('passages that overlap as neighbours of one document both stay', () => {
  const neighbours = [
    `${policy} Whoever works at night takes it before midnight.`,
    'Whoever works at night takes it before midnight. The shift leader writes it down.',
  ];
  expect(keptOf(...neighbours).kept).toEqual(neighbours);
});

test('a long text and a short part of it both stay', () => {
  expect(keptOf(policy, 'Every employee takes a break').removed).toBe(0);
});

test('passages of one word, of none and of signs are compared as well', () => {
  expect(keptOf('Yes', 'yes', '…', '!', '休暇', '休暇')).toEqual({
    kept: ['Yes', '…', '休暇'],
    removed: 3,
  });
});
