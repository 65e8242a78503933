import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CitedText, locatorsOf } from '../../../src/modules/runs/cited-text.ts';
import { Passages } from '../../../src/modules/runs/passages.ts';
import { sentencesOf } from '../../../src/modules/runs/sentences.ts';
import { passage } from '../../support/runs.ts';

function shownPassages() {
  const allPassages = new Passages();
  allPassages.add(
    passage('Employees get 30 days of vacation. Sick notes are due on the third day.'),
  );
  allPassages.add(
    passage('Der Urlaub beträgt 30 Tage im Jahr.', {
      documentId: 'german',
      originalName: 'urlaub.docx',
      page: null,
    }),
  );
  allPassages.add(passage('The canteen opens at noon.', { ordinal: 1, page: 4 }));
  return allPassages;
}

function showAnswer(text: string, pieces: (text: string) => string[] = (complete) => [complete]) {
  const citedText = new CitedText(shownPassages());
  const shown = pieces(text).map((piece) => citedText.push(piece));
  shown.push(citedText.end());
  expect(shown.join('')).toBe(citedText.text);
  return {
    text: citedText.text,
    markers: citedText.details.map(({ marker }) => marker),
    details: citedText.details,
  };
}

describe('The text of an answer', () => {
  it.each([
    ['You get 30 days of vacation [1].', 'You get 30 days of vacation [1].', [1]],
    ['You get 30 days of vacation. [1]', 'You get 30 days of vacation. [1]', [1]],
    ['You get 30 days of vacation[1].', 'You get 30 days of vacation[1].', [1]],
    [
      'The canteen opens at noon [3]. You get 30 days of vacation [1].',
      'The canteen opens at noon [3]. You get 30 days of vacation [1].',
      [3, 1],
    ],
    ['You get 30 days of vacation [1, 3].', 'You get 30 days of vacation [1].', [1]],
    ['You get 30 days of vacation [1][1].', 'You get 30 days of vacation [1][1].', [1]],
    ['You get 30 days of vacation [9].', 'You get 30 days of vacation.', []],
    ['You get 30 days of vacation [0][10000].', 'You get 30 days of vacation[10000].', []],
    ['The moon is made of cheese [1].', 'The moon is made of cheese.', []],
    [
      '- The moon\n- You get 30 days of vacation [1]',
      '- The moon\n- You get 30 days of vacation [1]',
      [1],
    ],
    [
      'In English: you get 30 days of vacation in a year [2].',
      'In English: you get 30 days of vacation in a year [2].',
      [2],
    ],
    ['An [unfinished', 'An [unfinished', []],
    ['An array[i] and [a](b) and [ ] and []', 'An array[i] and [a](b) and [ ] and []', []],
    ['It ends with [1', 'It ends with [1', []],
    ['', '', []],
  ])('The answer %j is shown as %j', (written, shown, markers) => {
    expect(showAnswer(written)).toMatchObject({ text: shown, markers });
  });

  it('The shown text does not depend on how the answer is split into chunks', () => {
    const alphabet = fc.constantFrom(
      '[',
      ']',
      '1',
      '2',
      '9',
      ',',
      ' ',
      '\n',
      '.',
      'vacation',
      'days',
      'The moon',
      'und Urlaub',
    );
    fc.assert(
      fc.property(
        fc.array(alphabet, { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        (words, size) => {
          const text = words.join('');
          const split = (complete: string) =>
            complete.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
          expect(showAnswer(text, split)).toEqual(showAnswer(text));
        },
      ),
    );
  });

  it('Every shown marker has a citation, and every citation has a shown marker', () => {
    const piece = fc.constantFrom(
      '[1]',
      '[2]',
      '[3]',
      '[4]',
      '[1,4]',
      ' vacation of 30 days',
      ' the canteen at noon',
      '. ',
      'It is ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { text, markers } = showAnswer(pieces.join(''));
        const shown = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
        expect([...new Set(shown)]).toEqual(markers);
      }),
    );
  });

  it('An answer of 80,000 blanks, brackets or markers is processed, one by one or at once', () => {
    for (const unit of [' ', '[', '[1, ', '[1]', 'word [1] ']) {
      const text = unit.repeat(80_000 / unit.length);
      const complete = showAnswer(text);
      expect(showAnswer(text, (allPassages) => [...allPassages])).toEqual(complete);
    }
    expect(showAnswer(' '.repeat(80_000)).text).toHaveLength(80_000);
    expect(showAnswer(`${' '.repeat(80_000)}[9].`).text).toBe('.');
  });

  it('Markers after the first 2,000 checks count as unsupported', () => {
    const statements = Array.from(
      { length: 2_100 },
      (_, index) => `You get 30 days of vacation in ${index} [1].`,
    );
    expect(showAnswer(statements.join(' ')).text.match(/\[1\]/g)).toHaveLength(2_000);
  });

  it('A citation quotes the text of the passage with its offsets in the document', () => {
    const { details } = showAnswer('Sick notes must be handed in on the third day [1].');
    expect(details).toEqual([
      {
        marker: 1,
        documentId: 'handbook',
        originalName: 'handbook.pdf',
        page: 3,
        start: 135,
        end: 171,
        quote: 'Sick notes are due on the third day.',
        score: 0.9,
        versionId: 'handbook',
        isPreviousVersion: false,
      },
    ]);
  });

  it('The citations list each source once, in order of first use, with its page if the file has pages', () => {
    const { details } = showAnswer(
      'The canteen opens at noon [3]. Urlaub: 30 Tage [2]. You get 30 days of vacation [1]. Sick notes are due [1].',
    );
    expect(locatorsOf(details)).toEqual([
      'handbook.pdf#page=4',
      'urlaub.docx',
      'handbook.pdf#page=3',
    ]);
    expect(locatorsOf([...details, ...details])).toHaveLength(3);
  });
});

describe('The sentences of a text', () => {
  it('Sentences have correct offsets, are in order, and cover every word', () => {
    const words = fc.constantFrom(
      'Der Urlaub',
      'z. B.',
      'Abs. 5',
      ' is 38.5 hours',
      '. ',
      '! ',
      '\n',
      '\n\n',
      '- one',
      'name: x | age: 5',
      '# Title',
      'ein langer Satz, der über mehrere Zeilen geht und',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 50 }), (pieces) => {
        const text = pieces.join('');
        const sentences = sentencesOf(text);
        let end = 0;
        for (const sentence of sentences) {
          expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
          expect(text.slice(end, sentence.start).trim()).toBe('');
          end = sentence.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
    );
  });

  it('A sentence does not end at an abbreviation or a wrapped line, but at table rows and list entries', () => {
    const text =
      'Der Urlaub beträgt 30 Tage, z. B. im Juli. Siehe Abs. 5 der Ordnung.\nname: Anna | age: 5\nname: Bob | age: 6\n- one\n- two\n\nThis is a very long line that was wrapped by a tool at\nthe end and goes on here. Next one!';
    expect(sentencesOf(text).map((sentence) => sentence.text)).toEqual([
      'Der Urlaub beträgt 30 Tage, z. B. im Juli.',
      'Siehe Abs. 5 der Ordnung.',
      'name: Anna | age: 5',
      'name: Bob | age: 6',
      '- one',
      '- two',
      'This is a very long line that was wrapped by a tool at\nthe end and goes on here.',
      'Next one!',
    ]);
  });
});
