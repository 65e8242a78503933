import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../support/app.ts';
import { givePassword, postJson } from '../../../support/sign-in.ts';
import { watchStatements } from '../../../support/statements.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

it('A sign-in sends the same statements for an account, for one without a password, and for an unknown address', async () => {
  const owner = await app.organization();
  const { id } = await owner.member('there@traces.example');
  const email = await givePassword(app, id);
  await app.database.prisma.user.create({
    data: { id: 'passwordless', email: 'passwordless@traces.example' },
  });
  const watch = watchStatements();
  try {
    const statementsFor = async (address: string) => {
      const { result, statements } = await watch.during(() =>
        postJson(app, '/auth/sign-in/email', { email: address, password: 'wrong' }),
      );
      expect(result.status).toBe(401);
      const beforeTheAnswer = [...statements];
      // The audit entry is written half a second after the response.
      await pause(1_500);
      return beforeTheAnswer;
    };
    await statementsFor(email);
    const statements = await statementsFor(email);
    expect(statements).toHaveLength(1);
    expect(await statementsFor('passwordless@traces.example')).toEqual(statements);
    expect(await statementsFor('nobody@traces.example')).toEqual(statements);
  } finally {
    watch.stop();
  }
});
