import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientHeader } from '../../../src/modules/accounts/client-header.ts';
import { takeMail } from '../../../src/modules/accounts/mail-allowance.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { createLimits, type Limits } from '../../../src/platform/limits.ts';
import { createLog } from '../../../src/platform/log.ts';

let limits: Limits;
beforeAll(async () => {
  limits = await createLimits({ log: createLog(readEnv({ LOG_LEVEL: 'silent' })) });
});
afterAll(() => limits.close());

const from = (address: string) => new Request('http://atrium.test', { headers: { [clientHeader]: address } });
const ask = (email: string, address: string) =>
  takeMail(email, from(address), limits).then(
    () => 'taken',
    ({ code }) => code,
  );

it('one mailbox is sent five mails an hour, whoever asks for them', async () => {
  const answers = await Promise.all(Array.from({ length: 7 }, (_, index) => ask('ada@allowance.example', `192.0.2.${index}`)));
  expect(answers).toEqual([...Array(5).fill('taken'), 'RATE_LIMITED', 'RATE_LIMITED']);
});

it('one network asks for a hundred mails an hour, whoever they are for', async () => {
  const answers = await Promise.all(Array.from({ length: 101 }, (_, index) => ask(`person-${index}@allowance.example`, `2001:db8:1:2::${index.toString(16)}`)));
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(100);
  expect(await ask('somebody@allowance.example', '2001:db8:1:3::1')).toBe('taken');
});
