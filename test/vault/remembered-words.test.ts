import { expect, test } from 'vitest';
import { embedByHashing } from '../../src/vault/embed/hashing.ts';
import { indexedWords } from '../../src/vault/vector-db/words.ts';
import { mulberry32 } from '../support/mulberry32.ts';

// Vectors and words are computed faster for words that were seen before. More different words than
// are remembered, of the lengths that are remembered, must change nothing.
const random = mulberry32(7);
const randomWord = () =>
  Array.from({ length: 4 + Math.floor(random() * 9) }, () =>
    String.fromCharCode(97 + Math.floor(random() * 26)),
  ).join('');
const texts = Array.from({ length: 50 }, () => Array.from({ length: 40 }, randomWord).join(' '));
const otherTexts = Array.from({ length: 1_500 }, () =>
  Array.from({ length: 40 }, randomWord).join(' '),
);

test.each<[string, (text: string) => unknown]>([
  ['numbers of the vector', (text: string) => [...embedByHashing(text)]],
  ['words', (text: string) => indexedWords(text, 'file')],
])('The %s of a text do not depend on the texts before it', (_, compute) => {
  const first = texts.map(compute);
  for (const text of otherTexts) compute(text);
  expect(texts.map(compute)).toEqual(first);
  expect(texts.toReversed().map(compute).toReversed()).toEqual(first);
});

test('Each text has the pieces of its own long words, each piece once', () => {
  const piecesOf = (text: string) => indexedWords(text, '').pieces.split(' ');
  const word = ['0vers', '0ersi', '0rsic', '0sich', '0iche', '0cher', '0heru', '0erun', '0rung'];
  for (let round = 0; round < 2; round += 1) {
    expect(piecesOf('Versicherung')).toEqual(word);
    expect(piecesOf('Versicherung, Versicherung')).toEqual(word);
    expect(piecesOf('Versicherung Versicherungen')).toEqual([...word, '0unge', '0ngen']);
    expect(piecesOf('kurz')).toEqual(['']);
  }
});
