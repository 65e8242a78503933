import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerPool } from '../../../../src/modules/runs/extractive/answer-in-thread.ts';
import { selectAnswer } from '../../../../src/modules/runs/extractive/select-answer.ts';
import { checkSupport } from '../../../../src/modules/runs/statement-support.ts';
import { contentWords } from '../../../../src/modules/runs/words.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { plainAnswer, plainSupport } from './plain-answer.ts';

const word = fc.constantFrom(
  ...'Urlaub Urlaubstage Resturlaub holiday holidays price prices charger Charger 30 389.00 AX-4711 euro Euro the is of und der nach how much many wie viele wann when Österreich café cafe'.split(
    ' ',
  ),
);
const joint = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  ' ',
  '. ',
  '\n',
  '\n\n',
  '? ',
  ' | ',
  ': ',
  ', ',
  '! ',
  '\n- ',
  '\n## ',
  ' z. B. ',
);
const text = fc
  .array(fc.tuple(word, joint), { maxLength: 40 })
  .map((pairs) => pairs.flat().join(''));
const passages = fc
  .array(text, { maxLength: 6 })
  .map((texts) => texts.map((passage, index) => ({ number: index + 1, text: passage })));

describe('the built-in model', () => {
  it('chooses the sentences that a comparison of every word with every word chooses', () => {
    fc.assert(
      fc.property(text, passages, (question, given) => {
        expect(selectAnswer(question, given)).toEqual(plainAnswer(question, given));
      }),
    );
  });

  it('finds the quote that a comparison of every word with every word finds', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (statements, content) => {
        const passage = { text: content };
        for (const statement of statements)
          expect(checkSupport(statement, passage)).toEqual(plainSupport(statement, passage));
      }),
    );
  });

  it('removes accents from words the same way whether they are one character or two', () => {
    const marks = fc
      .array(
        fc.constantFrom('a', 'é', 'Ǖ', 'ö', '\u0301', '\u0316', '\u0f77', 'ज़', '각', ' ', 'n'),
        { maxLength: 12 },
      )
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(marks, (written) => {
        const folded = (contents: string) =>
          contents.replaceAll('ö', 'oe').normalize('NFD').replaceAll(/\p{M}/gu, '');
        expect(contentWords(`${written}7`.toLowerCase())).toEqual(
          contentWords(folded(`${written}7`.toLowerCase())),
        );
      }),
    );
  });

  it('gives a large question the same answer in a thread', async () => {
    const answers = createAnswerPool(quietLog);
    const given = Array.from({ length: 2_000 }, (_, index) => ({
      number: index + 1,
      text: `Article ${index} costs ${index + 100} euro. It is red.`,
    }));
    const question = `${'Please tell me. '.repeat(200)} What does article 1777 cost?`;
    const answer = await answers.answer({ question, passages: given, owner: 'organization' });
    expect(answer).toEqual(selectAnswer(question, given));
    expect(answer[0]).toContain('1777');
    await answers.close();
  });

  it('answers a question of ten thousand different words about 200,000 characters without comparing each with each', () => {
    const question = Array.from({ length: 10_000 }, (_, index) => `frage${index}`).join(' ');
    const given = Array.from({ length: 125 }, (_, index) => ({
      number: index + 1,
      text: Array.from({ length: 160 }, (__, at) => `wort${index}x${at}`).join('. '),
    }));
    expect(selectAnswer(question, given)).toEqual([
      'The knowledge base of this assistant holds nothing on that.',
    ]);
  });
});
