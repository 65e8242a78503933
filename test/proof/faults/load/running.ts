import type { Chance } from '../../fuzz/chance.ts';
import { type Line, persist, type Told } from './ask.ts';
import { Ledger } from './ledger.ts';
import type { Actor, Keys } from './load.ts';

const questions = [
  'How much is the meal allowance in Germany?',
  'How many days of holiday are there?',
  'How long must a password be?',
  'What does support cost?',
];
const checkedAgain = 3;

/**
 * Lets an assistant answer, each time under a key of its own; what was answered once must be
 * answered so for ever.
 */
export function runningActor(name: string, keys: Keys, chance: Chance): Actor {
  const ledger = new Ledger();
  const answered: { again: string; question: string; text: string }[] = [];
  let open: { again: string; question: string } | undefined;
  let number = 0;
  const run = (
    line: Line,
    { again, question }: { again: string; question: string },
  ): Promise<Told> =>
    persist(line, {
      ...{
        method: 'POST',
        path: `/api/assistants/v1/${keys.assistantId}/run`,
        key: keys.userKey,
        again,
      },
      json: { messages: [{ role: 'user', content: question }] },
    });

  return {
    name,
    ledger,
    async step(line) {
      number += 1;
      open ??= { again: `${name}-${number}`, question: chance.pick(questions) };
      const { status, text } = await run(line, open);
      if (status === 200) answered.push({ ...open, text });
      else ledger.faults.push(`a run was answered ${status} ${text.slice(0, 200)}`);
      open = undefined;
      ledger.counts.acknowledged += 1;
    },
    async verify(line) {
      for (const { text, ...asked } of answered.slice(-checkedAgain)) {
        const answer = await run(line, asked);
        ledger.counts.repeated += 1;
        if (answer.text !== text || !answer.headers.has('idempotency-replayed'))
          ledger.faults.push(`a run that was answered is answered otherwise: ${answer.status}`);
      }
    },
  };
}
