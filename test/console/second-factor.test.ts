import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { codeOf } from '../support/second-factor.ts';
import { givePassword, password } from '../support/sign-in.ts';

describeInBrowser('the second factor', () => {
  let site: TestConsole;
  let personCount = 0;
  beforeAll(async () => {
    // Browsers support passkeys for host names only.
    site = await openConsole({}, {}, 'localhost');
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  async function person() {
    personCount += 1;
    const { id } = await (await site.app.organization()).member(
      `person-${personCount}@factor.example`,
      {
        firstName: 'Ada',
      },
    );
    return { id, email: await givePassword(site.app, id) };
  }
  const security = async (page: Page) => {
    await page.goto(`${site.origin}/settings/security`);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  };
  /** Adds a virtual device with passkeys, whose owner always agrees. */
  async function addVirtualAuthenticator(page: Page) {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const kind = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...kind, automaticPresenceSimulation: true },
    });
  }
  const clickButton = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

  /**
   * Sets up an authenticator app in the page. Returns its secret and the recovery codes. This uses
   * up the current code; the code of the previous step could become too old while it is typed.
   */
  async function setUpApp(page: Page) {
    await security(page);
    await clickButton(page, 'Set up app');
    const setupDialog = dialog(page, 'Set up an authenticator app');
    const secret = ((await setupDialog.getByLabel('Key').textContent()) ?? '').replaceAll(' ', '');
    await setupDialog.getByLabel('Code', { exact: false }).last().fill('000000');
    await clickButton(page, 'Confirm');
    await setupDialog.getByText('This code is wrong').waitFor();
    await expectAccessibleInBoth(page);
    await setupDialog.getByLabel('Code', { exact: false }).last().fill(codeOf(secret));
    await clickButton(page, 'Confirm');
    const shown = dialog(page, 'Your recovery codes');
    await shown.getByRole('listitem').first().waitFor();
    const recoveryCodes = await shown.getByRole('listitem').allTextContents();
    await expectAccessibleInBoth(page);
    return { secret, recoveryCodes, shown };
  }
  const signInAs = async (page: Page, email: string) => {
    await page.goto(`${site.origin}/auth?next=%2Fsettings`);
    await page.getByLabel('E-mail address', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await clickButton(page, 'Sign in');
  };

  it('A person sets up an app with its key, and then signs in with its codes or a recovery code', async () => {
    const { id, email } = await person();
    const page = await site.page({ as: id, width: 380 });
    const { secret, recoveryCodes, shown } = await setUpApp(page);
    expect(recoveryCodes).toHaveLength(10);
    // The codes are not shown again, so only “Done” closes them.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await shown.getByRole('listitem').count()).toBe(10);
    expect(await shown.getByRole('button', { name: 'Close' }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      shown.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('atrium-recovery-codes.txt');
    await clickButton(page, 'Done');
    await page.getByText('10 left').waitFor();
    expect(await page.content()).not.toContain(recoveryCodes[0]);

    const other = await site.page({ width: 380 });
    await signInAs(other, email);
    await other.getByRole('heading', { name: 'Enter the code from your app' }).waitFor();
    await expectAccessibleInBoth(other);
    await other.getByLabel('Code', { exact: true }).fill('123123');
    await clickButton(other, 'Sign in');
    await other.getByText('This code is wrong or was used already').waitFor();
    await other.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
    await clickButton(other, 'Sign in');
    await other.waitForURL((url) => url.pathname === '/settings');

    const third = await site.page();
    await signInAs(third, email);
    await clickButton(third, 'Use a recovery code');
    await third.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await expectAccessibleInBoth(third);
    await clickButton(third, 'Sign in');
    await third.waitForURL((url) => url.pathname === '/settings');
    await security(third);
    await third.getByText('9 left').waitFor();
  });

  it('Removing the app and renewing recovery codes needs the password when the sign-in is older than ten minutes', async () => {
    const { id, email } = await person();
    const page = await site.page({ as: id });
    await setUpApp(page);
    await clickButton(page, 'Done');
    const makeOld = () =>
      site.app.database.prisma.session.updateMany({
        where: { userId: id },
        data: { authenticatedAt: new Date(0) },
      });
    await makeOld();
    await clickButton(page, 'Create new codes');
    await dialog(page, 'Create new recovery codes?')
      .getByRole('button', { name: 'Create new codes' })
      .click();
    const confirm = dialog(page, 'Confirm your password');
    await confirm.getByLabel('Password', { exact: true }).fill('wrong');
    await clickButton(page, 'Confirm');
    await confirm.getByText('The current password is wrong').waitFor();
    await expectAccessibleInBoth(page);
    await confirm.getByLabel('Password', { exact: true }).fill(password);
    await clickButton(page, 'Confirm');
    await dialog(page, 'Your recovery codes').waitFor();
    await clickButton(page, 'Done');
    await clickButton(page, 'Remove app');
    await dialog(page, 'Remove the authenticator app?')
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByRole('button', { name: 'Set up app' }).waitFor();
    const other = await site.page();
    await signInAs(other, email);
    await other.waitForURL((url) => url.pathname === '/settings');
  });

  it('A passkey works as the second factor and as a sign-in without a password', async () => {
    const { id, email } = await person();
    const page = await site.page({ as: id, width: 380 });
    await addVirtualAuthenticator(page);
    await security(page);
    await clickButton(page, 'Add passkey');
    await dialog(page, 'Add passkey').getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await expectAccessibleInBoth(page);
    await clickButton(page, 'Continue');
    await dialog(page, 'Your recovery codes').waitFor();
    await clickButton(page, 'Done');
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByText('never used').waitFor();
    const long = 'W'.repeat(60);
    await clickButton(page, 'Rename Laptop');
    await dialog(page, 'Rename passkey').getByRole('textbox', { name: 'Name' }).fill(long);
    await clickButton(page, 'Save');
    await passkeys.getByText(long).first().waitFor();
    await expectAccessibleInBoth(page);
    const { height = 0 } =
      (await page.getByRole('button', { name: `Rename ${long}` }).boundingBox()) ?? {};
    expect(height).toBeLessThan(60);
    await clickButton(page, `Rename ${long}`);
    await dialog(page, 'Rename passkey').getByRole('textbox', { name: 'Name' }).fill('Old laptop');
    await clickButton(page, 'Save');
    await passkeys.getByText('Old laptop').first().waitFor();
    await expectAccessibleInBoth(page);

    // The passkey first completes a sign-in with a password, then replaces the password.
    await page.context().clearCookies();
    await signInAs(page, email);
    await page.getByRole('heading', { name: 'Enter a recovery code' }).waitFor();
    await clickButton(page, 'Sign in with a passkey');
    await page.waitForURL((url) => url.pathname === '/settings');
    await page.context().clearCookies();
    await page.goto(`${site.origin}/auth?next=%2Fsettings`);
    await clickButton(page, 'Sign in with a passkey');
    await page.waitForURL((url) => url.pathname === '/settings');
    await page.context().clearCookies();
    await page.goto(`${site.origin}/auth?next=${encodeURIComponent('/.//evil.example')}`);
    await clickButton(page, 'Sign in with a passkey');
    await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
    expect(page.url()).toBe(`${site.origin}/`);

    await security(page);
    await passkeys.getByText('used just now').waitFor();
    await clickButton(page, 'Remove Old laptop');
    await dialog(page, 'Remove this passkey?').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The passkey was removed').waitFor();
    await expect.poll(() => passkeys.count()).toBe(0);
  });

  it('Members of an organization that requires a second factor are sent to the setup before they can continue', async () => {
    const owner = await site.app.organization();
    const administrator = await site.page({ as: owner.administratorId });
    await setUpApp(administrator);
    await clickButton(administrator, 'Done');
    await administrator.goto(`${site.origin}/settings/organization`);
    await administrator.getByLabel('Required for').selectOption({ label: 'Everybody' });
    await clickButton(administrator, 'Save policy');
    await administrator.getByText('Saved. It applies immediately').waitFor();
    await expectAccessibleInBoth(administrator);
    const { id } = await owner.member(`member@${owner.slug}.example`);
    const page = await site.page({ as: id, width: 380 });
    await page.goto(`${site.origin}/assistants`);
    await page.getByText('A second factor is required here').waitFor();
    await expectAccessibleInBoth(page);
    await setUpApp(page);
    await clickButton(page, 'Done');
    await page.goto(site.origin);
    await page.getByRole('banner').getByText(owner.slug).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('A second step that comes too late asks for a new sign-in', async () => {
    const page = await site.page();
    await page.goto(`${site.origin}/auth/second-factor?next=%2Fsettings`);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname === '/auth' && url.search === '?next=%2Fsettings');
  });
});
