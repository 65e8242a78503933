import { describe, expect, it } from 'vitest';
import { selectAnswer } from '../../../../src/modules/runs/extractive/select-answer.ts';
import { checkSupport } from '../../../../src/modules/runs/statement-support.ts';

const answerTo = (question: string, ...texts: string[]) =>
  selectAnswer(
    question,
    texts.map((text, index) => ({ number: index + 1, text })),
  ).join('');

const errorTable = [
  'Anzeige: F12 | Ursache: Volumenstrom zu gering | Abhilfe: Schmutzfänger reinigen',
  'Anzeige: F45 | Ursache: Außenfühler unterbrochen | Abhilfe: Stecker X7 prüfen',
].join('\n');
const englishManual =
  'E-11: The drain hose is bent. Straighten it.\n\nE-27: The sensor has tripped.';
const invoices = 'Invoice 11 was paid in May.\n\nInvoice 27 was paid in June.';

describe('The words of a question to the built-in model', () => {
  it.each(['Was bedeutet F45?', 'Was heißt F45?', 'What does F45 mean?'])(
    'Beside a code, the words of "%s" ask only for its meaning',
    (question) => {
      expect(answerTo(question, errorTable)).toMatch(/^Anzeige: F45 .* prüfen \[1\]$/);
    },
  );

  it.each(['Was bedeutet F46?', 'What does F46 mean?'])(
    '"%s" about a code that the files do not have is refused',
    (question) => {
      expect(answerTo(question, errorTable, englishManual)).not.toMatch(/\[\d+\]/);
    },
  );

  it('A question with "bedeutet" and a code is answered in German', () => {
    expect(answerTo('Was bedeutet F46?', englishManual)).toMatch(/^Dazu steht nichts/);
  });

  it.each(['Was heißt E-11 beim Geschirrspüler?', 'Was heißt E-11?'])(
    'A code with a hyphen is one word of "%s", so the entry of another language is found by it',
    (question) => {
      expect(answerTo(question, invoices, englishManual)).toMatch(
        /^E-11: The drain hose is bent\. \[2\]/,
      );
    },
  );

  it('A statement about a code is supported by the sentence with the code, and not by its number', () => {
    const text = `Invoice 11 was paid in May. E-11 is shown. The display is dark.`;
    expect(checkSupport('E-11 is a fault.', { text }).quote.text).toBe('E-11 is shown.');
  });

  it('Of the words of an English question, rare ones count more than frequent ones', () => {
    expect(
      answerTo(
        'Where can I see a helmet?',
        'Visitors see old boats. The hall is heated.',
        'A helmet hangs in room four. The hall is heated.',
      ),
    ).toMatch(/^A helmet hangs in room four\. \[2\]/);
  });

  it('A sentence that only repeats the question is followed by those beside it', () => {
    expect(
      answerTo(
        'extension 231',
        'A volunteer reads to the blind. Ring extension 231. Ask for Ines.',
      ),
    ).toBe('Ring extension 231. [1] Ask for Ines. [1] A volunteer reads to the blind. [1]');
    expect(
      answerTo(
        'extension 231',
        'Books are free. Ring extension 231 on Monday mornings. Ask for Ines.',
      ),
    ).toBe('Ring extension 231 on Monday mornings. [1]');
  });
});
