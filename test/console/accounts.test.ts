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

const chosen = 'a saddle, a bridle, a hoof';

describeInBrowser('people who come in', () => {
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let people: TestConsole;
  let made = 0;
  beforeAll(async () => {
    mail = await receiveMail();
    people = await openConsole(mail.settings);
  });
  afterAll(async () => {
    await people.close();
    await mail.close();
  });

  async function person() {
    made += 1;
    const { id } = await (await people.app.organization()).member(
      `person-${made}@console.example`,
      { firstName: 'Ada' },
    );
    return { id, email: await givePassword(people.app, id) };
  }
  const open = async (path: string, wanted: Parameters<TestConsole['page']>[0] = {}) => {
    const page = await people.page(wanted);
    await page.goto(people.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const fill = async (page: Page, fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value);
  };
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const atHome = (page: Page) => page.waitForURL((url) => url.pathname === '/');

  it('make an account, and are at home', async () => {
    const page = await open('/auth');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expectAccessibleInBoth(page);
    await fill(page, {
      'First name': 'Grace',
      'E-mail address': 'grace@console.example',
      Password: chosen,
    });
    await press(page, 'Create an account');
    await atHome(page);
    await page.getByRole('button', { name: /Grace/ }).waitFor();
  });

  it('are told at the field what is wrong, and lose nothing of what they typed', async () => {
    const page = await open('/auth?new');
    await fill(page, { 'First name': 'Grace', 'E-mail address': 'no address', Password: chosen });
    await press(page, 'Create an account');
    const field = page.getByLabel('E-mail address', { exact: true });
    await page.getByText('This is not an e-mail address.').waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessibleInBoth(page);
    const { email } = await person();
    await field.fill(email);
    await press(page, 'Create an account');
    await page
      .getByRole('alert')
      .getByText('There is an account with this e-mail address already')
      .waitFor();
    await expect
      .poll(() => page.getByLabel('First name', { exact: true }).inputValue())
      .toBe('Grace');
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe(chosen);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect.poll(() => field.inputValue()).toBe(email);
  });

  it('sign in by keyboard alone, at the page that they wanted', async () => {
    const { email } = await person();
    const page = await people.page();
    await page.goto(`${people.origin}/settings?tab=x`);
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

  it('with a wrong password are told so, and stay', async () => {
    const { email } = await person();
    const page = await open('/auth');
    await fill(page, { 'E-mail address': email, Password: 'wrong password' });
    await press(page, 'Sign in');
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

  it('see the password that they type where they want to, and are told how long a new one must be', async () => {
    const page = await open('/auth?new');
    const field = page.getByLabel('Password', { exact: true });
    await field.fill('short');
    await page.getByText('5 more, please: at least 10 characters.').waitFor();
    await field.fill(chosen);
    await page.getByText('Long enough.').waitFor();
    await press(page, 'Show password');
    await expect.poll(() => field.getAttribute('type')).toBe('text');
    await expect.poll(() => field.getAttribute('autocomplete')).toBe('new-password');
  });

  it('sign out, and the page before shows nothing any more', async () => {
    const { id } = await person();
    const page = await open('/', { as: id });
    await page.getByRole('button', { name: /: menu$/ }).click();
    await press(page, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('choose a new password by mail, and are in', async () => {
    const { email } = await person();
    const page = await open('/auth');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expectAccessibleInBoth(page);
    await fill(page, { 'E-mail address': email });
    await press(page, 'Send me a link');
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await expectAccessibleInBoth(page);
    const link = linkIn(await mail.next(email));
    await page.goto(people.origin + link.pathname + link.search);
    await fill(page, { 'New password': chosen });
    await expectAccessibleInBoth(page);
    await press(page, 'Save and sign in');
    await atHome(page);
    const again = await open(link.pathname + link.search);
    await fill(again, { 'New password': chosen });
    await press(again, 'Save and sign in');
    await again.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
    await expectAccessibleInBoth(again);
    expect(
      (await postJson(people.app, '/auth/sign-in/email', { email, password: chosen })).status,
    ).toBe(200);
  });

  it('change their password, and are signed out everywhere else', async () => {
    const { id, email } = await person();
    const [page, elsewhere] = [
      await open('/settings/security', { as: id }),
      await open('/', { as: id }),
    ];
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
    await fill(page, { 'Current password': 'wrong password', 'New password': chosen });
    await press(page, 'Change the password');
    await page.getByText('The current password is wrong').waitFor();
    await expect
      .poll(() => page.getByLabel('Current password', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true');
    await expectAccessibleInBoth(page);
    await fill(page, { 'Current password': password });
    await fill(page, { 'New password': '1234567890' });
    await press(page, 'Change the password');
    await page.getByText('not easy to guess').waitFor();
    await expect
      .poll(() => page.getByLabel('New password', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true');
    await fill(page, { 'New password': chosen });
    await press(page, 'Change the password');
    await page
      .getByRole('status')
      .getByText('Your password is changed, and you are signed out everywhere else')
      .waitFor();
    await expect.poll(() => page.getByLabel('New password', { exact: true }).inputValue()).toBe('');
    await expect.poll(() => page.getByRole('row').count(), { timeout: 10_000 }).toBe(2);
    await elsewhere.reload();
    await elsewhere.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(
      (await postJson(people.app, '/auth/sign-in/email', { email, password: chosen })).status,
    ).toBe(200);
  });

  it('see where they are signed in, and sign out there, one by one and all at once', async () => {
    const { id, email } = await person();
    const page = await open('/settings/security', { as: id });
    for (const browser of [
      'Firefox/140.0 (Windows NT 10.0)',
      'Safari/605 (iPhone)',
      'Chrome/140 (Android)',
    ]) {
      await postJson(
        people.app,
        '/auth/sign-in/email',
        { email, password },
        { 'user-agent': browser },
      );
    }
    await page.reload();
    await press(page, 'Sign out Firefox on Windows');
    await page.getByRole('status').getByText('Firefox on Windows is signed out').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Firefox on Windows' })
      .waitFor({ state: 'detached' });
    await press(page, 'Sign out everywhere else');
    await expectAccessibleInBoth(page);
    await press(page, 'Sign out');
    await page.getByRole('status').getByText('You are signed out everywhere else').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Safari on iPhone' })
      .waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'This browser' }).count())
      .toBe(1);
    expect(await people.app.database.prisma.session.count({ where: { userId: id } })).toBe(1);
  });

  it('confirm their address where they want to, by a mail that brings them back', async () => {
    const { id, email } = await person();
    await people.app.database.prisma.user.update({ where: { id }, data: { emailVerified: false } });
    const page = await open('/settings/security', { as: id, width: 360, height: 740, dark: true });
    await page.getByText('Not confirmed').waitFor();
    await expectAccessibleInBoth(page);
    await press(page, 'Send me the link');
    const link = linkIn(await mail.next(email));
    await page.goto(people.origin + link.pathname + link.search);
    await page.waitForURL((url) => url.pathname === '/settings/security');
    await page.getByText('Confirmed', { exact: true }).waitFor();
  });

  it('are led to no other site by the address of the sign-in', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const { id } = await person();
      const page = await people.page({ as: id });
      await page.goto(`${people.origin}/auth?next=${encodeURIComponent(next)}`);
      await atHome(page);
      expect(new URL(page.url()).origin).toBe(people.origin);
    }
  });

  it('find the pages fit for a phone', async () => {
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

  it('met no error, no refused script and no other host on the way, and left no password and no link in the log', () => {
    expect(people.faults).toEqual([]);
    expect(people.app.logLines.join('')).toContain('ResetPassword');
    expect(people.app.logLines.join('')).not.toMatch(
      /a saddle, a bridle|a horse, a battery|token=|@console\.example/,
    );
  });
});
