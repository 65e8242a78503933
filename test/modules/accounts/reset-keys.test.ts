import { afterAll, beforeAll, expect, it } from 'vitest';
import { linkIn } from '../../support/mail.ts';
import { type MailApp, mailApp } from '../../support/mail-app.ts';
import { givePassword, postJson } from '../../support/sign-in.ts';

let app: MailApp;
let mail: MailApp['mail'];
beforeAll(async () => {
  app = await mailApp();
  ({ mail } = app);
});
afterAll(() => app.close());

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
