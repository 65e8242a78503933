import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { linkIn, receiveMail } from '../support/mail.ts';
import { givePassword, password, postJson } from '../support/sign-in.ts';

const newPassword = 'a saddle, a bridle, a hoof';

describeInBrowser('accounts', () => {
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let site: TestConsole;
  let personCount = 0;
  beforeAll(async () => {
    mail = await receiveMail();
    site = await openConsole(mail.settings);
  });
  afterAll(async () => {
    await site.close();
    await mail.close();
  });

  async function person() {
    personCount += 1;
    const { id } = await (await site.app.organization()).member(
      `person-${personCount}@console.example`,
      { firstName: 'Ada' },
    );
    return { id, email: await givePassword(site.app, id) };
  }
  const open = async (path: string, options: Parameters<TestConsole['page']>[0] = {}) => {
    const page = await site.page(options);
    await page.goto(site.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const fill = async (page: Page, fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value);
  };
  const clickButton = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const waitForHome = (page: Page) => page.waitForURL((url) => url.pathname === '/');

  it('A person creates an account and reaches the start page', async () => {
    const page = await open('/auth');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expectAccessibleInBoth(page);
    await fill(page, {
      'First name': 'Grace',
      'E-mail address': 'grace@console.example',
      Password: newPassword,
    });
    await clickButton(page, 'Create an account');
    await waitForHome(page);
    await page.getByRole('button', { name: /Grace/ }).waitFor();
  });

  it('A failed sign-up shows the error at its field and keeps the typed values', async () => {
    const page = await open('/auth?new');
    await fill(page, {
      'First name': 'Grace',
      'E-mail address': 'no address',
      Password: newPassword,
    });
    await clickButton(page, 'Create an account');
    const field = page.getByLabel('E-mail address', { exact: true });
    await page.getByText('This is not an e-mail address.').waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessibleInBoth(page);
    const { email } = await person();
    await field.fill(email);
    await clickButton(page, 'Create an account');
    await page
      .getByRole('alert')
      .getByText('There is an account with this e-mail address already')
      .waitFor();
    await expect
      .poll(() => page.getByLabel('First name', { exact: true }).inputValue())
      .toBe('Grace');
    await expect
      .poll(() => page.getByLabel('Password', { exact: true }).inputValue())
      .toBe(newPassword);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect.poll(() => field.inputValue()).toBe(email);
  });

  it('A person signs in by keyboard alone and reaches the requested page', async () => {
    const { email } = await person();
    const page = await site.page();
    await page.goto(`${site.origin}/settings?tab=x`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessibleInBoth(page);
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent ?? '',
      );
    for (let presses = 0; (await focused()) !== 'email' && presses < 10; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.type(email);
    for (let presses = 0; (await focused()) !== 'password' && presses < 5; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname + url.search === '/settings?tab=x');
  });

  it('A wrong password shows an error and keeps the form', async () => {
    const { email } = await person();
    const page = await open('/auth');
    await fill(page, { 'E-mail address': email, Password: 'wrong password' });
    await clickButton(page, 'Sign in');
    const alert = page.getByRole('alert').getByText('Wrong e-mail address or password');
    await alert.waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Wrong e-mail address or password',
    );
    await expect
      .poll(() => page.getByLabel('E-mail address', { exact: true }).inputValue())
      .toBe(email);
    await expectAccessibleInBoth(page);
  });

  it('A password can be shown, and a new one has a hint about its length', async () => {
    const page = await open('/auth?new');
    const field = page.getByLabel('Password', { exact: true });
    await field.fill('short');
    await page.getByText('5 more needed: a password has at least 10 characters.').waitFor();
    await field.fill(newPassword);
    await page.getByText('Long enough.').waitFor();
    await clickButton(page, 'Show password');
    await expect.poll(() => field.getAttribute('type')).toBe('text');
    await expect.poll(() => field.getAttribute('autocomplete')).toBe('new-password');
  });

  it('After sign-out the browser’s back button shows the sign-in page', async () => {
    const { id } = await person();
    const page = await open('/', { as: id });
    await page.getByRole('button', { name: /account menu$/ }).click();
    await clickButton(page, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('A person chooses a new password with an e-mail link that works once and is signed in', async () => {
    const { email } = await person();
    const page = await open('/auth');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expectAccessibleInBoth(page);
    await fill(page, { 'E-mail address': email });
    await clickButton(page, 'Send link');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await expectAccessibleInBoth(page);
    const link = linkIn(await mail.next(email));
    await page.goto(site.origin + link.pathname + link.search);
    await fill(page, { 'New password': newPassword });
    await expectAccessibleInBoth(page);
    await clickButton(page, 'Save and sign in');
    await waitForHome(page);
    const again = await open(link.pathname + link.search);
    await fill(again, { 'New password': newPassword });
    await clickButton(again, 'Save and sign in');
    await again.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await expectAccessibleInBoth(again);
    expect(
      (await postJson(site.app, '/auth/sign-in/email', { email, password: newPassword })).status,
    ).toBe(200);
  });

  it('Changing the password signs out all other browsers', async () => {
    const { id, email } = await person();
    const [page, elsewhere] = [
      await open('/settings/security', { as: id }),
      await open('/', { as: id }),
    ];
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await fill(page, { 'Current password': 'wrong password', 'New password': newPassword });
    await clickButton(page, 'Change password');
    await page.getByText('The current password is wrong').waitFor();
    await expect
      .poll(() => page.getByLabel('Current password', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true');
    await expectAccessibleInBoth(page);
    await fill(page, { 'Current password': password });
    await fill(page, { 'New password': '1234567890' });
    await clickButton(page, 'Change password');
    await page.getByText('not easy to guess').waitFor();
    await expect
      .poll(() => page.getByLabel('New password', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true');
    await fill(page, { 'New password': newPassword });
    await clickButton(page, 'Change password');
    await page
      .getByRole('status')
      .getByText('Your password was changed, and all other devices were signed out')
      .waitFor();
    await expect.poll(() => page.getByLabel('New password', { exact: true }).inputValue()).toBe('');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await elsewhere.reload();
    await elsewhere.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(
      (await postJson(site.app, '/auth/sign-in/email', { email, password: newPassword })).status,
    ).toBe(200);
  });

  it('A person sees their sessions, and ends one of them or all others', async () => {
    const { id, email } = await person();
    const page = await open('/settings/security', { as: id });
    for (const browser of [
      'Firefox/140.0 (Windows NT 10.0)',
      'Safari/605 (iPhone)',
      'Chrome/140 (Android)',
    ]) {
      await postJson(
        site.app,
        '/auth/sign-in/email',
        { email, password },
        { 'user-agent': browser },
      );
    }
    await page.reload();
    await clickButton(page, 'Sign out Firefox on Windows');
    await page.getByRole('status').getByText('Firefox on Windows was signed out').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Firefox on Windows' })
      .waitFor({ state: 'detached' });
    await clickButton(page, 'Sign out everywhere else');
    await expectAccessibleInBoth(page);
    await clickButton(page, 'Sign out');
    await page.getByRole('status').getByText('All other devices were signed out').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Safari on iPhone' })
      .waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'This browser' }).count())
      .toBe(1);
    expect(await site.app.database.prisma.session.count({ where: { userId: id } })).toBe(1);
  });

  it('A person confirms their address with an e-mail link that returns to the security page', async () => {
    const { id, email } = await person();
    await site.app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    const page = await open('/settings/security', { as: id, width: 360, height: 740, dark: true });
    await page.getByText('Not confirmed').waitFor();
    await expectAccessibleInBoth(page);
    await clickButton(page, 'Send link');
    const link = linkIn(await mail.next(email));
    await page.goto(site.origin + link.pathname + link.search);
    await page.waitForURL((url) => url.pathname === '/settings/security');
    await page.getByText('Confirmed', { exact: true }).waitFor();
  });

  it('The sign-in page never redirects to another site', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/.//evil.example',
      '/a/..//evil.example',
    ]) {
      const { id } = await person();
      const page = await site.page({ as: id });
      await page.goto(`${site.origin}/auth?next=${encodeURIComponent(next)}`);
      await waitForHome(page);
      expect(new URL(page.url()).origin).toBe(site.origin);
    }
  });

  it('The account pages fit on a phone', async () => {
    for (const path of [
      '/auth',
      '/auth?new',
      '/auth/forgot',
      '/auth/reset?token=x',
      '/auth/verify',
      '/auth/reset',
    ]) {
      await expectAccessibleInBoth(await open(path, { width: 360, height: 740 }));
    }
  });

  it('The pages above caused no error, no blocked script and no request to another host, and the log contains no password and no link', () => {
    expect(site.faults).toEqual([]);
    expect(site.app.logLines.join('')).toContain('ResetPassword');
    expect(site.app.logLines.join('')).not.toMatch(
      /a saddle, a bridle|a horse, a battery|token=|@console\.example/,
    );
  });
});
