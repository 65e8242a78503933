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
  let made = 0;
  beforeAll(async () => {
    // Browsers make passkeys for host names only.
    site = await openConsole({}, {}, 'localhost');
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  async function person() {
    made += 1;
    const { id } = await (await site.app.organization()).member(`person-${made}@factor.example`, {
      firstName: 'Ada',
    });
    return { id, email: await givePassword(site.app, id) };
  }
  const security = async (page: Page) => {
    await page.goto(`${site.origin}/settings/security`);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  };
  /** A device that makes passkeys and whose owner always agrees. */
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
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

  /** Sets up an app in the page. Answers its secret and the recovery codes. */
  async function setUp(page: Page) {
    await security(page);
    await press(page, 'Set up an app');
    const window = dialog(page, 'Set up an authenticator app');
    const secret = ((await window.getByLabel('Key').textContent()) ?? '').replaceAll(' ', '');
    await window.getByLabel('Code', { exact: false }).last().fill('000000');
    await press(page, 'Confirm');
    await window.getByText('This code is wrong').waitFor();
    await expectAccessibleInBoth(page);
    await window.getByLabel('Code', { exact: false }).last().fill(codeOf(secret, -1));
    await press(page, 'Confirm');
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
    await press(page, 'Sign in');
  };

  it('is set up by a QR code or its key, and then asked for at the sign-in', async () => {
    const { id, email } = await person();
    const page = await site.page({ as: id, width: 380 });
    const { secret, recoveryCodes, shown } = await setUp(page);
    expect(recoveryCodes).toHaveLength(10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      shown.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('atrium-recovery-codes.txt');
    await press(page, 'Done');
    await page.getByText('10 left').waitFor();
    expect(await page.content()).not.toContain(recoveryCodes[0]);

    const other = await site.page({ width: 380 });
    await signInAs(other, email);
    await other.getByRole('heading', { name: 'Enter the code of your app' }).waitFor();
    await expectAccessibleInBoth(other);
    await other.getByLabel('Code', { exact: true }).fill('123123');
    await press(other, 'Sign in');
    await other.getByText('This code is wrong or was used already').waitFor();
    await other.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await press(other, 'Sign in');
    await other.waitForURL((url) => url.pathname === '/settings');

    const third = await site.page();
    await signInAs(third, email);
    await press(third, 'Use a recovery code');
    await third.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await expectAccessibleInBoth(third);
    await press(third, 'Sign in');
    await third.waitForURL((url) => url.pathname === '/settings');
    await security(third);
    await third.getByText('9 left').waitFor();
  });

  it('is removed, and its recovery codes are renewed, after the password where the sign-in is older than ten minutes', async () => {
    const { id, email } = await person();
    const page = await site.page({ as: id });
    await setUp(page);
    await press(page, 'Done');
    const makeOld = () =>
      site.app.database.prisma.session.updateMany({
        where: { userId: id },
        data: { authenticatedAt: new Date(0) },
      });
    await makeOld();
    await press(page, 'Make new codes');
    await dialog(page, 'Make new recovery codes?')
      .getByRole('button', { name: 'Make new codes' })
      .click();
    const confirm = dialog(page, 'Confirm that it is you');
    await confirm.getByLabel('Password', { exact: true }).fill('wrong');
    await press(page, 'Go on');
    await confirm.getByText('The current password is wrong').waitFor();
    await expectAccessibleInBoth(page);
    await confirm.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Go on');
    await dialog(page, 'Your recovery codes').waitFor();
    await press(page, 'Done');
    await press(page, 'Remove the app');
    await dialog(page, 'Remove the authenticator app?')
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
    const other = await site.page();
    await signInAs(other, email);
    await other.waitForURL((url) => url.pathname === '/settings');
  });

  it('is a passkey of the device, which also signs in without the password', async () => {
    const { id, email } = await person();
    const page = await site.page({ as: id, width: 380 });
    await addVirtualAuthenticator(page);
    await security(page);
    await press(page, 'Add a passkey');
    await dialog(page, 'Add a passkey').getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await expectAccessibleInBoth(page);
    await press(page, 'Go on');
    await dialog(page, 'Your recovery codes').waitFor();
    await press(page, 'Done');
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByText('not used yet').waitFor();
    await press(page, 'Rename Laptop');
    await dialog(page, 'Rename the passkey')
      .getByRole('textbox', { name: 'Name' })
      .fill('Old laptop');
    await press(page, 'Save');
    await passkeys.getByText('Old laptop').first().waitFor();
    await expectAccessibleInBoth(page);

    // The same device, as the second step of a sign-in and instead of its first.
    await page.context().clearCookies();
    await signInAs(page, email);
    await page.getByRole('heading', { name: 'Enter a recovery code' }).waitFor();
    await press(page, 'Sign in with a passkey');
    await page.waitForURL((url) => url.pathname === '/settings');
    await page.context().clearCookies();
    await page.goto(`${site.origin}/auth?next=%2Fsettings`);
    await press(page, 'Sign in with a passkey');
    await page.waitForURL((url) => url.pathname === '/settings');

    await security(page);
    await passkeys.getByText('used just now').waitFor();
    await press(page, 'Remove Old laptop');
    await dialog(page, 'Remove this passkey?').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The passkey is removed').waitFor();
    await expect.poll(() => passkeys.count()).toBe(0);
  });

  it('is required by an organization: its members are led to the setup, and go on from there', async () => {
    const owner = await site.app.organization();
    const administrator = await site.page({ as: owner.administratorId });
    await setUp(administrator);
    await press(administrator, 'Done');
    await administrator.goto(`${site.origin}/settings/organization`);
    await administrator.getByLabel('Required of').selectOption({ label: 'Everybody' });
    await press(administrator, 'Save the requirement');
    await administrator.getByText('Saved; it holds from now on').waitFor();
    await expectAccessibleInBoth(administrator);
    const { id } = await owner.member(`member@${owner.slug}.example`);
    const page = await site.page({ as: id, width: 380 });
    await page.goto(`${site.origin}/assistants`);
    await page.getByText('A second factor is required here').waitFor();
    await expectAccessibleInBoth(page);
    await setUp(page);
    await press(page, 'Done');
    await page.goto(site.origin);
    await page.getByRole('banner').getByText(owner.slug).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('asks for a new sign-in where the second step comes too late', async () => {
    const page = await site.page();
    await page.goto(`${site.origin}/auth/second-factor?next=%2Fsettings`);
    await page.getByRole('heading', { name: 'Please sign in again' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname === '/auth' && url.search === '?next=%2Fsettings');
  });
});
