import { expect, test } from 'vitest';
import { withoutNearDuplicates } from '../../../src/vault/search/near-duplicates.ts';

const policy =
  'Every employee who works more than six hours a day takes a break of half an hour, which does not count as working time. ' +
  'The break may be cut into two parts of a quarter of an hour each, and it is never taken at the very end of the day.';

function deduplicate(...texts: string[]) {
  let removed = 0;
  const distinct = [
    ...withoutNearDuplicates(
      texts.map((text) => ({ text })),
      () => removed++,
    ),
  ].map(({ text }) => text);
  return { distinct, removed };
}

test('Of equal passages the first is kept and the others are counted', () => {
  const copy = policy.replace('very end', 'end');
  expect(deduplicate(policy, policy.toUpperCase(), 'Something else', copy)).toEqual({
    distinct: [policy, 'Something else'],
    removed: 2,
  });
});

test('Passages that differ in a number are both kept', () => {
  const rows = [
    'Hotel in Berlin, one night, breakfast included: 120 euros',
    'Hotel in Berlin, one night, breakfast included: 140 euros',
  ];
  expect(deduplicate(...rows).distinct).toEqual(rows);
});

test('Overlapping neighbours of one document are both kept', () => {
  const neighbours = [
    `${policy} Whoever works at night takes it before midnight.`,
    'Whoever works at night takes it before midnight. The shift leader writes it down.',
  ];
  expect(deduplicate(...neighbours).distinct).toEqual(neighbours);
});

test('A long text and a short part of it are both kept', () => {
  expect(deduplicate(policy, 'Every employee takes a break').removed).toBe(0);
});

test('Passages with one word, no words or only symbols are compared too', () => {
  expect(deduplicate('Yes', 'yes', '…', '!', '休暇', '休暇')).toEqual({
    distinct: ['Yes', '…', '休暇'],
    removed: 3,
  });
});
