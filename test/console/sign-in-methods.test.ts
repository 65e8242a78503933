import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openBrowser,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { linkIn, receiveMail } from '../support/mail.ts';
import { startIssuer } from '../support/oidc-issuer.ts';
import { givePassword, password, postJson } from '../support/sign-in.ts';

const chosen = 'a saddle, a bridle, a hoof';

describeInBrowser('people whose address must be confirmed', () => {
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let people: TestConsole;
  beforeAll(async () => {
    mail = await receiveMail();
    people = await openConsole({ EMAIL_VERIFICATION: 'required', ...mail.settings });
  });
  afterAll(async () => {
    await people.close();
    await mail.close();
  });

  it('sign up, follow the link of the mail, and are where they began', async () => {
    const page = await people.page();
    await page.goto(`${people.origin}/auth?new&next=%2Fsettings`);
    await page.getByLabel('First name', { exact: true }).fill('Grace');
    await page.getByLabel('E-mail address', { exact: true }).fill('grace@confirm.example');
    await page.getByLabel('Password', { exact: true }).fill(chosen);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Send it again' }).click();
    await mail.next('grace@confirm.example');
    const link = linkIn(await mail.next('grace@confirm.example'));
    for (let more = 0; more < 4; more += 1)
      await people.app.contextParts.limits.take('mail:grace@confirm.example:127.0.0.1', 1, 3_600);
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByRole('alert').getByText('Too many mails were asked for').waitFor();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await page.goto(people.origin + link.pathname + link.search);
    await page.waitForURL((url) => url.pathname === '/settings');
    await page.goto(people.origin + link.pathname + link.search);
    await page.getByRole('heading', { name: 'This link was used already' }).waitFor();
    await expectAccessibleInBoth(page);
    expect(people.faults).toEqual([]);
  });

  it('who have an account from before are sent the link when they sign in', async () => {
    const { administratorId } = await people.app.organization();
    await people.app.database.prisma.user.update({
      where: { id: administratorId },
      data: { emailVerified: false },
    });
    const email = await givePassword(people.app, administratorId);
    const page = await people.page();
    await page.goto(`${people.origin}/auth`);
    await page.getByLabel('E-mail address', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor();
    await expectAccessibleInBoth(page);
    await mail.next(email);
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('Sent again').waitFor();
    const link = linkIn(await mail.next(email));
    await page.goto(people.origin + link.pathname + link.search);
    await page.waitForURL((url) => url.pathname === '/');
  });

  it('choose a password on the page of the link in a browser that did not ask for it', async () => {
    const email = 'hedy@confirm.example';
    const signUp = { email, password: 'chosen by a stranger', firstName: 'Mallory' };
    await postJson(people.app, '/auth/sign-up/email', signUp);
    const link = linkIn(await mail.next(email));
    const page = await people.page();
    await page.goto(people.origin + link.pathname + link.search);
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
    await page.getByText(email).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByLabel('First name', { exact: true }).fill('Hedy');
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    expect((await postJson(people.app, '/auth/sign-in/email', signUp)).status).toBe(401);
    expect(
      (await postJson(people.app, '/auth/sign-in/email', { email, password: chosen })).status,
    ).toBe(200);
  });

  it('learn that they have an account already where a link for a new one comes too late', async () => {
    const email = 'late@confirm.example';
    await postJson(people.app, '/auth/sign-up/email', {
      email,
      password: chosen,
      firstName: 'Late',
    });
    const link = linkIn(await mail.next(email));
    await (await people.app.organization()).member(email);
    const page = await people.page();
    await page.goto(people.origin + link.pathname + link.search);
    await page.getByRole('heading', { name: 'You already have an account' }).waitFor();
    await expectAccessibleInBoth(page);
  });
});

describeInBrowser('where accounts are made by link only, and other sites sign people in', () => {
  let people: TestConsole;
  beforeAll(async () => {
    const client = { clientId: 'atrium', clientSecret: 'a-client-secret' };
    const providers = {
      github: client,
      oidc: { ...client, issuer: 'https://id.example', name: 'Example' },
    };
    people = await openConsole({
      SIGN_UP: 'by-link',
      ORIGIN: 'http://atrium.test',
      SIGN_IN_PROVIDERS: JSON.stringify(providers),
    });
  });
  afterAll(() => people.close());

  it('people find the ways in that there are, and why one of them failed', async () => {
    const page = await people.page({ width: 360, height: 740 });
    await page.goto(`${people.origin}/auth?new&error=account_not_linked`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
    await page.getByRole('button', { name: 'Continue with Example' }).waitFor();
    await page.getByText('There is an account with this e-mail address already').waitFor();
    await page.getByText('Accounts are made by invitation here.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    await expectAccessibleInBoth(page);
    await page.goto(`${people.origin}/auth?error=__proto__`);
    await page.getByText('The sign-in with the other site did not succeed.').waitFor();
  });

  it('people who forgot their password are told that there is no mail', async () => {
    const page = await people.page();
    await page.goto(`${people.origin}/auth/forgot`);
    await page.getByText('This Atrium sends no mail').waitFor();
    await expectAccessibleInBoth(page);
    expect(people.faults).toEqual([]);
  });
});

describeInBrowser('people who sign in with another site', () => {
  it('go there and come back, to the page that they wanted', async () => {
    const issuer = await startIssuer({
      sub: '1',
      email: 'grace@site.example',
      email_verified: true,
      given_name: 'Grace',
      family_name: 'Hopper',
    });
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const client = {
      clientId: 'atrium',
      clientSecret: 'a-client-secret',
      issuer: issuer.issuer,
      name: 'Example',
    };
    const app = await testApp({
      ORIGIN: origin,
      SIGN_IN_PROVIDERS: JSON.stringify({ oidc: client }),
    });
    const server = createServer(app.listener).listen(port, '127.0.0.1');
    const browser = await openBrowser(origin);
    const page = await browser.page();
    await page.goto(`${origin}/settings`);
    await page.getByRole('button', { name: 'Continue with Example' }).click();
    await page.waitForURL(`${origin}/settings`);
    await page.getByRole('button', { name: /Grace Hopper/ }).waitFor();
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
    await issuer.close();
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  server.close();
  await once(server, 'close');
  return port;
}
