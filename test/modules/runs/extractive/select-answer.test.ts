import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerPool } from '../../../../src/modules/runs/extractive/answer-in-thread.ts';
import { selectAnswer } from '../../../../src/modules/runs/extractive/select-answer.ts';
import { checkSupport } from '../../../../src/modules/runs/statement-support.ts';
import { contentWords } from '../../../../src/modules/runs/words.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { plainAnswer, plainSupport } from './plain-answer.ts';

const word = fc.constantFrom(
  ...'Urlaub Urlaubstage Resturlaub holiday vacation leave bicycle bike holidays price prices charger Charger 30 389.00 AX-4711 euro Euro the is of und der nach how much many wie viele wann when Österreich café cafe'.split(
    ' ',
  ),
);
const separator = fc.constantFrom(
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
  .array(fc.tuple(word, separator), { maxLength: 40 })
  .map((pairs) => pairs.flat().join(''));
const passages = fc
  .array(text, { maxLength: 6 })
  .map((texts) => texts.map((passage, index) => ({ number: index + 1, text: passage })));

describe('The built-in model', () => {
  it('The model selects the same sentences as a comparison of every word with every word', () => {
    fc.assert(
      fc.property(text, passages, (question, passageList) => {
        expect(selectAnswer(question, passageList)).toEqual(plainAnswer(question, passageList));
      }),
    );
  });

  it('The model finds the same quote as a comparison of every word with every word', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (statements, content) => {
        const passage = { text: content };
        for (const statement of statements)
          expect(checkSupport(statement, passage)).toEqual(plainSupport(statement, passage));
      }),
    );
  });

  it('Accents are removed whether they are part of the letter or combining marks', () => {
    const accentedLetters = fc
      .array(
        fc.constantFrom('a', 'é', 'Ǖ', 'ö', '\u0301', '\u0316', '\u0f77', 'ज़', '각', ' ', 'n'),
        { maxLength: 12 },
      )
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(accentedLetters, (written) => {
        const withoutMarks = (contents: string) =>
          contents.replaceAll('ö', 'oe').normalize('NFD').replaceAll(/\p{M}/gu, '');
        expect(contentWords(`${written}7`.toLowerCase())).toEqual(
          contentWords(withoutMarks(`${written}7`.toLowerCase())),
        );
      }),
    );
  });

  it('A large question that runs in a thread gets the same answer', async () => {
    const answerPool = createAnswerPool(quietLog, () => false);
    const passageList = Array.from({ length: 2_000 }, (_, index) => ({
      number: index + 1,
      text: `Article ${index} costs ${index + 100} euro. It is red.`,
    }));
    const question = `${'Please tell me. '.repeat(200)} What does article 1777 cost?`;
    const answer = await answerPool.answer({
      question,
      passages: passageList,
      owner: 'organization',
    });
    expect(answer).toEqual(selectAnswer(question, passageList));
    expect(answer[0]).toContain('1777');
    await answerPool.close();
  });

  it('A question does not wait for all the questions that another organization asked before it', async () => {
    const answerPool = createAnswerPool(quietLog, () => false);
    const passages = Array.from({ length: 8 }, (_, index) => ({
      number: index + 1,
      text: `Article ${index} costs ${index + 100} euro. It is red. `.repeat(20),
    }));
    const answered: string[] = [];
    const ask = async (owner: string) => {
      const answer = await answerPool.answer({
        question: 'What does article 5 cost?',
        passages,
        owner,
      });
      expect(answer.join('')).toContain('105 euro');
      answered.push(owner);
    };
    // Both threads have started.
    await Promise.all([ask('busy'), ask('quiet')]);
    answered.length = 0;
    await Promise.all([...Array.from({ length: 40 }, () => ask('busy')), ask('quiet')]);
    // The other thread is free for it. While the system runs that one, the first thread goes on.
    expect(answered.indexOf('quiet')).toBeLessThan(20);
    expect(answered).toHaveLength(41);
    await answerPool.close();
  });

  it.runIf(process.platform === 'linux')(
    'Questions of a paced organization are answered in a thread of low priority, and those of others are not',
    async () => {
      const answerPool = createAnswerPool(quietLog, (owner) => owner === 'busy');
      const niceValues = () =>
        new Map(
          readdirSync('/proc/self/task').map((thread) => {
            const [, rest = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(
              ') ',
            );
            return [thread, Number(rest.split(' ')[16])];
          }),
        );
      const ask = async (owner: string) => {
        const before = niceValues();
        const passages = [{ number: 1, text: 'Lunch is served from 11:30.' }];
        const answer = await answerPool.answer({ question: 'When is lunch?', passages, owner });
        expect(answer.join('')).toContain('11:30');
        return [...niceValues()].filter(([thread]) => !before.has(thread)).map(([, nice]) => nice);
      };
      expect(await ask('quiet')).not.toContain(10);
      expect(await ask('busy')).toContain(10);
      await answerPool.close();
    },
  );

  it('A question of 10,000 different words about 200,000 characters is answered within the time limit', () => {
    const question = Array.from({ length: 10_000 }, (_, index) => `frage${index}`).join(' ');
    const passageList = Array.from({ length: 125 }, (_, index) => ({
      number: index + 1,
      text: Array.from({ length: 160 }, (__, wordIndex) => `wort${index}x${wordIndex}`).join('. '),
    }));
    expect(selectAnswer(question, passageList)).toEqual([
      'The knowledge base of this assistant holds nothing on that.',
    ]);
  });
});
