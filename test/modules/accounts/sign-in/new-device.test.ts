import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailApp, mailApp } from '../../../support/mail-app.ts';
import { cookieOf, givePassword, password, postJson } from '../../../support/sign-in.ts';

let app: MailApp;
let mail: MailApp['mail'];
beforeAll(async () => {
  app = await mailApp();
  ({ mail } = app);
});
afterAll(() => app.close());

it('The owner is informed by mail about a sign-in with an unknown browser, and not about one with a known browser', async () => {
  const { administratorId } = await app.organization();
  const email = await givePassword(app, administratorId);
  const enter = (cookie = '') =>
    postJson(
      app,
      '/auth/sign-in/email',
      { email, password },
      {
        cookie,
        origin: 'http://atrium.test',
        'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0',
      },
    );
  const known = cookieOf(await enter());
  await enter(known);
  await enter();
  const received = await mail.next(email);
  expect(received.subject).toBe('A sign-in from a new device');
  expect(received.text).toContain('Firefox on Windows');
  expect(mail.mails).toEqual([]);
});
