import { expect, it } from 'vitest';
import { recognizedTextOf } from '../../../../src/vault/extract/ocr/recognized-text.ts';

type Word = [text: string, confidence: number];

/** The table that Tesseract writes, with one list of words for each line of a paragraph. */
const tableOf = (lines: readonly (readonly Word[])[]) =>
  lines
    .flatMap((words, line) => [
      `4\t1\t1\t1\t${line + 1}\t0\t10\t10\t500\t20\t-1\t`,
      ...words.map(
        ([text, confidence], word) =>
          `5\t1\t1\t1\t${line + 1}\t${word + 1}\t${10 + 60 * word}\t10\t50\t20\t${confidence}\t${text}`,
      ),
    ])
    .join('\n');
const linesOf = (...lines: (readonly Word[])[]) =>
  recognizedTextOf(tableOf(lines))
    .paragraphs.flat()
    .map(({ text }) => text);

it('An uncertain word in a certain line is left out, and so are uncertain signs', () => {
  expect(
    linesOf([
      ['Delivery', 95],
      ['takes', 93],
      ['fjve', 31],
      ['days', 96],
      ['”', 60],
      ['.', 90],
    ]),
  ).toEqual(['Delivery takes days .']);
});

it('A line that is uncertain on average is left out, with its certain words', () => {
  const noise: Word[] = [
    ['uasejsnzjny', 34],
    ['ap', 91],
    ['Jogsi', 41],
  ];
  expect(linesOf(noise, [['Delivery', 95]])).toEqual(['Delivery']);
  expect(recognizedTextOf(tableOf([noise]))).toMatchObject({ paragraphs: [], words: 3 });
});

it('A short line stays only if it is certain', () => {
  expect(linesOf([['Z5', 65]], [['§4', 92]])).toEqual(['§4']);
});

it('A line knows its length in the direction of reading', () => {
  const sideways = [
    '5\t1\t1\t1\t1\t1\t10\t10\t20\t200\t95\tDelivery',
    '5\t1\t1\t1\t1\t2\t10\t230\t20\t300\t95\ttakes',
  ].join('\n');
  expect(recognizedTextOf(sideways).paragraphs).toEqual([
    [{ text: 'Delivery takes', left: 0, right: 520 }],
  ]);
});
