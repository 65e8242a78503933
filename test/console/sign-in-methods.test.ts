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

const newPassword = 'a saddle, a bridle, a hoof';

describeInBrowser('sign-in with required e-mail confirmation', () => {
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let site: TestConsole;
  beforeAll(async () => {
    mail = await receiveMail();
    site = await openConsole({ EMAIL_VERIFICATION: 'required', ...mail.settings });
  });
  afterAll(async () => {
    await site.close();
    await mail.close();
  });

  it('A person signs up, opens the link of the e-mail, and returns to the requested page', async () => {
    const page = await site.page();
    await page.goto(`${site.origin}/auth?new&next=%2Fsettings`);
    await page.getByLabel('First name', { exact: true }).fill('Grace');
    await page.getByLabel('E-mail address', { exact: true }).fill('grace@confirm.example');
    await page.getByLabel('Password', { exact: true }).fill(newPassword);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Send again' }).click();
    await mail.next('grace@confirm.example');
    const link = linkIn(await mail.next('grace@confirm.example'));
    for (let more = 0; more < 4; more += 1)
      await site.app.contextParts.limits.consume('mail:grace@confirm.example:127.0.0.1', 1, 3_600);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('alert').getByText('Too many mails were asked for').waitFor();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await page.goto(site.origin + link.pathname + link.search);
    await page.waitForURL((url) => url.pathname === '/settings');
    await page.goto(site.origin + link.pathname + link.search);
    await page.getByRole('heading', { name: 'This link was already used' }).waitFor();
    await expectAccessibleInBoth(page);
    expect(site.faults).toEqual([]);
  });

  it('A person with an unconfirmed account receives the link when they sign in', async () => {
    const { administratorId } = await site.app.organization();
    await site.app.database.prisma.user.update({
      where: { id: administratorId },
      data: { emailVerified: false },
    });
    const email = await givePassword(site.app, administratorId);
    const page = await site.page();
    await page.goto(`${site.origin}/auth`);
    await page.getByLabel('E-mail address', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor();
    await expectAccessibleInBoth(page);
    await mail.next(email);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The e-mail was sent again').waitFor();
    const link = linkIn(await mail.next(email));
    await page.goto(site.origin + link.pathname + link.search);
    await page.waitForURL((url) => url.pathname === '/');
  });

  it('A person who opens the link in another browser chooses a new password there', async () => {
    const email = 'hedy@confirm.example';
    const signUp = { email, password: 'chosen by a stranger', firstName: 'Mallory' };
    await postJson(site.app, '/auth/sign-up/email', signUp);
    const link = linkIn(await mail.next(email));
    const page = await site.page();
    await page.goto(site.origin + link.pathname + link.search);
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
    await page.getByText(email).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByLabel('First name', { exact: true }).fill('Hedy');
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    expect((await postJson(site.app, '/auth/sign-in/email', signUp)).status).toBe(401);
    expect(
      (await postJson(site.app, '/auth/sign-in/email', { email, password: newPassword })).status,
    ).toBe(200);
  });

  it('A person who opens a sign-up link too late learns that they already have an account', async () => {
    const email = 'late@confirm.example';
    await postJson(site.app, '/auth/sign-up/email', {
      email,
      password: newPassword,
      firstName: 'Late',
    });
    const link = linkIn(await mail.next(email));
    await (await site.app.organization()).member(email);
    const page = await site.page();
    await page.goto(site.origin + link.pathname + link.search);
    await page.getByRole('heading', { name: 'You already have an account' }).waitFor();
    await expectAccessibleInBoth(page);
  });
});

describeInBrowser('a server with sign-up by link and sign-in with other sites', () => {
  let site: TestConsole;
  beforeAll(async () => {
    const client = { clientId: 'atrium', clientSecret: 'a-client-secret' };
    const providers = {
      github: client,
      oidc: { ...client, issuer: 'https://id.example', name: 'Example' },
    };
    site = await openConsole({
      SIGN_UP: 'by-link',
      ORIGIN: 'http://atrium.test',
      SIGN_IN_PROVIDERS: JSON.stringify(providers),
    });
  });
  afterAll(() => site.close());

  it('The sign-in page offers the configured sites only, and explains why one of them failed', async () => {
    const page = await site.page({ width: 360, height: 740 });
    await page.goto(`${site.origin}/auth?new&error=account_not_linked`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
    await page.getByRole('button', { name: 'Continue with Example' }).waitFor();
    await page.getByText('An account with this e-mail address already exists').waitFor();
    await page.getByText('You need an invitation to create an account here.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    await expectAccessibleInBoth(page);
    await page.goto(`${site.origin}/auth?error=__proto__`);
    await page.getByText('The sign-in with the other site failed.').waitFor();
  });

  it('A person who forgot the password learns that the server cannot send e-mail', async () => {
    const page = await site.page();
    await page.goto(`${site.origin}/auth/forgot`);
    await page.getByText('This server cannot send e-mail').waitFor();
    await expectAccessibleInBoth(page);
    expect(site.faults).toEqual([]);
  });
});

describeInBrowser('sign-in with another site', () => {
  it('A person who signs in with another site returns to the requested page', async () => {
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
