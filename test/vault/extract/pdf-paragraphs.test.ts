import { expect, test } from 'vitest';
import { linesOf } from '../../../src/vault/extract/pdf-lines.ts';
import { createParagraphs } from '../../../src/vault/extract/pdf-paragraphs.ts';

const textOf = (...lines: string[]) =>
  createParagraphs()(
    linesOf(
      lines.map((str, index) => ({
        str,
        transform: [1, 0, 0, 1, 0, 700 - 12 * index],
        width: 6 * str.length,
        height: 10,
        hasEOL: true,
      })),
    ),
  ).map(({ text }) => text);

test('A word that a hyphen divides at the end of a line is one word', () => {
  expect(textOf('The committee decides on the pay-', 'ment of all travel expenses.')).toEqual([
    'The committee decides on the payment of all travel expenses.',
  ]);
});

test('A hyphen that belongs to the words stays', () => {
  expect(textOf('Wir nennen hier alle Vor-', 'und Nachteile der Lösung.')).toEqual([
    'Wir nennen hier alle Vor- und Nachteile der Lösung.',
  ]);
  expect(textOf('Schreiben Sie uns Ihre E-Mail-', 'Adresse auf dieses Blatt.')).toEqual([
    'Schreiben Sie uns Ihre E-Mail- Adresse auf dieses Blatt.',
  ]);
});

test('An accent that TeX drew before its letter is part of the letter', () => {
  expect(textOf('Die Tonh¨ohe und die ¨Ubung im Caf´e, na¨ıv')).toEqual([
    'Die Tonhöhe und die Übung im Café, naïv',
  ]);
});
