import { expect, test } from 'vitest';
import { textKindOf } from '../../../src/vault/extract/text-kind.ts';

test.each([
  ['[1] See the appendix of the second edition.\n'.repeat(2_000)],
  ['[    0.014000] Linux version 6.1 (gcc)\n[    0.015000] Command line: quiet\n'.repeat(1_000)],
  ['[2024-11-02 10:00] start\n'.repeat(3_000)],
])('A long text that begins with a number in brackets is no JSON: %#', (text) => {
  expect(textKindOf(text.slice(0, 65_536), true)).toBe('text');
});

test('The beginning of a long list of numbers is JSON', () => {
  const numbers = JSON.stringify(Array.from({ length: 30_000 }, (_, index) => index / 8));
  expect(textKindOf(numbers.slice(0, 65_536), true)).toBe('json');
  expect(textKindOf(JSON.stringify([[1.5, -2]]).padEnd(65_536), true)).toBe('json');
});
