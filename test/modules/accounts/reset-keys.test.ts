import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { givePassword, postJson } from '../../support/sign-in.ts';

let app: TestApp;
let mail: Awaited<ReturnType<typeof receiveMail>>;
beforeAll(async () => {
  mail = await receiveMail();
  app = await testApp(mail.settings);
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

it.each([
  ['revokes the API keys of the account', {}, 401],
  ['keeps the API keys if the person chooses so', { revokeKeys: false }, 200],
])('A password reset %s', async (_, body, status) => {
  const owner = await app.organization();
  const email = await givePassword(app, owner.administratorId);
  const { key } = await owner.userKey(owner.administratorId);
  await postJson(app, '/auth/request-password-reset', { email });
  const token = linkIn(await mail.next(email)).searchParams.get('token');
  expect(
    (
      await postJson(app, '/auth/reset-password', {
        token,
        password: 'a saddle, a bridle, a hoof',
        ...body,
      })
    ).status,
  ).toBe(200);
  expect((await app.callerWith(key)('GET', '/api/assistants/v1/')).status).toBe(status);
});
