import type { SeededRandom } from '../../fuzz/seeded-random.ts';
import { Ledger } from './ledger.ts';
import type { DemoKeys, LoadActor } from './mixed-load.ts';
import { type ApiAnswer, type ServerAddress, sendUntilDone } from './send-request.ts';

const questions = [
  'How much is the meal allowance in Germany?',
  'How many days of holiday are there?',
  'How long must a password be?',
  'What does support cost?',
];
const verifiedRuns = 3;

/**
 * Runs an assistant, each time with a new Idempotency-Key. A repetition of an answered run must get
 * the same answer.
 */
export function runActor(name: string, keys: DemoKeys, random: SeededRandom): LoadActor {
  const ledger = new Ledger();
  const answeredRuns: { idempotencyKey: string; question: string; text: string }[] = [];
  let pendingRun: { idempotencyKey: string; question: string } | undefined;
  let number = 0;
  const run = (
    server: ServerAddress,
    { idempotencyKey, question }: { idempotencyKey: string; question: string },
  ): Promise<ApiAnswer> =>
    sendUntilDone(server, {
      ...{
        method: 'POST',
        path: `/api/assistants/v1/${keys.assistantId}/run`,
        key: keys.userKey,
        idempotencyKey,
      },
      json: { messages: [{ role: 'user', content: question }] },
    });

  return {
    name,
    ledger,
    async step(server) {
      number += 1;
      pendingRun ??= { idempotencyKey: `${name}-${number}`, question: random.pick(questions) };
      const { status, text } = await run(server, pendingRun);
      if (status === 200) answeredRuns.push({ ...pendingRun, text });
      else ledger.faults.push(`a run was answered ${status} ${text.slice(0, 200)}`);
      pendingRun = undefined;
      ledger.counts.acknowledged += 1;
    },
    async verify(server) {
      for (const { text, ...request } of answeredRuns.slice(-verifiedRuns)) {
        const answer = await run(server, request);
        ledger.counts.repeated += 1;
        if (answer.text !== text || !answer.headers.has('idempotency-replayed'))
          ledger.faults.push(`a repeated run got another answer: ${answer.status}`);
      }
    },
  };
}
