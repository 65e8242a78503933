import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import {
  chooseByTyping,
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  ownDocuments,
  type TestConsole,
} from '../support/browser.ts';
import { invite } from '../support/invitations.ts';
import { linkIn, receiveMail } from '../support/mail.ts';
import { giveSecondFactor } from '../support/second-factor.ts';
import { signIn, type TestSession } from '../support/sign-in.ts';

const execute = promisify(execFile);

describeInBrowser('settings', () => {
  let site: TestConsole;
  let owner: TestOrganization;
  let admin: TestSession;
  let page: Page;

  beforeAll(async () => {
    site = await openConsole(ownDocuments);
    owner = await site.app.organization();
    admin = await signIn(site.app, owner.administratorId);
    page = await site.page({ as: owner.administratorId });
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  const open = async (path: string, on: Page = page) => {
    await on.goto(`${site.origin}/settings${path}`);
    await on.getByRole('heading', { level: 1 }).waitFor();
  };
  const row = (text: string, on: Pick<Page, 'getByRole'> = page) =>
    on.getByRole('row').filter({ hasText: text });
  const dialog = (name: string | RegExp, on: Page = page) => on.getByRole('dialog', { name });
  const users = (key: string) =>
    fetch(`${site.origin}/api/user-management/v1/users`, {
      headers: { authorization: `Bearer ${key}` },
    });

  /**
   * Everything that the browser stores about the page: its current source, the values of its
   * fields, cookies and storage.
   */
  const browserContent = (on: Page) =>
    on.evaluate(() =>
      [
        document.documentElement.outerHTML,
        ...[...document.querySelectorAll('input, textarea')].map((field) => Object(field)['value']),
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
        document.cookie,
        location.href,
        JSON.stringify(history.state),
      ].join('\n'),
    );

  const dialogIn = (shown: Page) => shown.getByRole('dialog');

  it('An organization key is shown once, opens the API, and is rejected after its revocation', async () => {
    await open('/organization-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog('Create key').getByLabel('Name').fill('From the page');
    await dialog('Create key').getByRole('button', { name: 'Create', exact: true }).click();
    const key =
      (await dialog('Your new key').getByLabel('Key', { exact: true }).textContent()) ?? '';
    expect(key).toMatch(/^sk_svc_um_/);
    await expectAccessible(page);

    await dialog('Your new key').getByRole('button', { name: 'Copy', exact: true }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    const command =
      (await dialog('Your new key')
        .locator('code', { hasText: '/api/user-management/v1/users' })
        .textContent()) ?? '';
    const { stdout } = await execute('bash', ['-c', command.replace('curl ', 'curl -s ')]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success' });
    expect((await users(key)).status).toBe(200);

    await dialog('Your new key').getByRole('button', { name: 'Done' }).click();
    await row('From the page').waitFor();
    expect(await browserContent(page)).not.toContain(key);
    expect(site.app.logLines.join('')).not.toContain(key);

    await row('From the page').getByRole('button', { name: 'Revoke' }).click();
    await dialog('Revoke this key?').getByRole('button', { name: 'Revoke' }).click();
    await row('From the page').getByText('Revoked').waitFor();
    expect((await users(key)).status).toBe(401);
    await page.reload();
    await row('From the page').waitFor();
    expect(await browserContent(page)).not.toContain(key);
  });

  it('An administrator is told which keys are revoked before leaving, deleting the account or becoming a member', async () => {
    const organization = await site.app.organization();
    const { id } = await organization.member(`second@${organization.slug}.example`);
    const person = await site.page({ as: organization.administratorId });
    await site.app.database.prisma.apiKey.updateMany({
      where: { organizationId: organization.id },
      data: { responsibleId: organization.administratorId },
    });
    const { name } = await site.app.database.prisma.apiKey.findFirstOrThrow({
      where: { organizationId: organization.id, kind: 'ORGANIZATION' },
    });
    const told = person.getByRole('dialog').getByRole('listitem').getByText(name, { exact: true });
    await person.goto(`${site.origin}/settings`);
    await person.getByRole('button', { name: `Leave ${organization.slug}` }).click();
    await told.waitFor();
    await expectAccessibleInBoth(person);
    await person.keyboard.press('Escape');
    await person.getByRole('button', { name: 'Delete account' }).click();
    await told.waitFor();
    await person.keyboard.press('Escape');
    await person.goto(`${site.origin}/settings/members`);
    const { email } = await site.app.database.prisma.user.findUniqueOrThrow({
      where: { id: organization.administratorId },
    });
    await person.getByRole('row').filter({ hasText: email }).getByRole('button').click();
    await told.waitFor();
    // Another administrator keeps the key, and nothing is left to tell.
    await site.app.database.prisma.apiKey.updateMany({
      where: { organizationId: organization.id },
      data: { responsibleId: id },
    });
    await person.goto(`${site.origin}/settings`);
    await person.getByRole('button', { name: `Leave ${organization.slug}` }).click();
    await person.getByText('You lose access to everything').waitFor();
    expect(await told.count()).toBe(0);
  });

  it('After an action that removes its own button the focus stays where it was, not at the top of the page', async () => {
    const organization = await site.app.organization();
    const person = await site.page({ as: organization.administratorId });
    await organization.member(`gone@${organization.slug}.example`, { firstName: 'Gone' });
    await person.goto(`${site.origin}/settings/members`);
    const focused = () =>
      person.evaluate(() => document.activeElement?.closest('table, main')?.tagName);
    await person.getByRole('button', { name: 'Manage Gone' }).focus();
    await person.keyboard.press('Enter');
    await dialogIn(person).getByRole('button', { name: 'Remove' }).press('Enter');
    await dialogIn(person).last().getByRole('button', { name: 'Remove' }).press('Enter');
    await expect.poll(() => person.getByRole('button', { name: 'Manage Gone' }).count()).toBe(0);
    await expect.poll(focused).toBe('TABLE');

    await person.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialogIn(person).getByLabel('E-mail address').fill('nobody@invited.example');
    await person.keyboard.press('Enter');
    await dialogIn(person).getByRole('button', { name: 'Copy' }).waitFor();
    await dialogIn(person).getByRole('button', { name: 'Done' }).press('Enter');
    const invitation = person.getByRole('row').filter({ hasText: 'nobody@invited.example' });
    await invitation.getByRole('button', { name: /^Revoke/ }).press('Enter');
    await dialogIn(person).getByRole('button', { name: 'Revoke' }).press('Enter');
    await expect.poll(() => invitation.count()).toBe(0);
    await expect.poll(focused).toBe('MAIN');
  });

  it('A lowered limit of a key applies to the next request', async () => {
    const readLimit = async () => (await users(owner.key)).headers.get('x-ratelimit-limit');
    await open('/organization-keys');
    await row('test').getByText('100', { exact: true }).waitFor();
    await row('test').getByRole('button', { name: 'Edit limit of test' }).click();
    await dialog('Limit of “test”').getByLabel('Requests per minute').fill('25');
    await expectAccessibleInBoth(page);
    await dialog('Limit of “test”').getByRole('button', { name: 'Save', exact: true }).click();
    await row('test').getByText('25', { exact: true }).waitFor();
    expect(await readLimit()).toBe('25');
    await row('test').getByRole('button', { name: 'Edit limit of test' }).click();
    await dialog('Limit of “test”').getByLabel('Requests per minute').fill('');
    await dialog('Limit of “test”').getByRole('button', { name: 'Save', exact: true }).click();
    await row('test').getByText('100', { exact: true }).waitFor();
    expect(await readLimit()).toBe('100');
  });

  it('A user key can be created with an expiry date', async () => {
    await open('/keys');
    await page.getByText('No keys yet').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog('Create key').getByLabel('Name').fill('Laptop');
    await dialog('Create key').getByLabel('Expires').selectOption({ label: 'On a date' });
    const lastDay = dialog('Create key').getByLabel('Last day');
    await lastDay.fill('20999-12-31');
    await dialog('Create key').getByRole('button', { name: 'Create', exact: true }).click();
    expect(await lastDay.evaluate((field: HTMLInputElement) => field.validity.valid)).toBe(false);
    await lastDay.fill('2099-12-31');
    await dialog('Create key').getByRole('button', { name: 'Create', exact: true }).click();
    await dialog('Your new key').getByRole('button', { name: 'Done' }).click();
    await row('Laptop').getByText('until 31 Dec 2099').waitFor();
    await row('Laptop').getByText('Never').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('The people of a CSV file are invited, and the outcome for each address is shown', async () => {
    await open('/members');
    await page.getByRole('button', { name: 'Import people' }).click();
    const form = page.getByRole('form', { name: 'Invite people' });
    await form.getByLabel('E-mail addresses').fill('nobody');
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    await form.getByText('There is no e-mail address in this list').waitFor();
    const { email: memberEmail } = await site.app.database.prisma.user.findUniqueOrThrow({
      where: { id: owner.administratorId },
    });
    const csv = `name;address\r\n"Hopper; Grace";Grace@Import.example\r\nAda;ada@import.example\r\n;ADA@import.example\r\nMe;${memberEmail}\r\nBernd;bernd@import\r\n`;
    await form.getByLabel('CSV file with addresses').setInputFiles({
      ...{ name: 'people.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(csv),
    });
    await form.getByText('1 line has no complete e-mail address and will be left out').waitFor();
    await form.getByRole('listitem').getByText('Bernd;bernd@import').waitFor();
    await expectAccessibleInBoth(page);
    await form.getByRole('button', { name: 'Invite 3 people' }).click();
    await page.getByText('2 of 3 people were invited.').waitFor();
    await row(memberEmail, dialog('Invite people'))
      .getByText(/already/i)
      .waitFor();
    await expectAccessibleInBoth(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the links as CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^Grace@Import\.example,http:.*invitation=/);
    await dialog('Invite people').getByRole('button', { name: 'Close' }).last().click();
    await row('grace@import.example').getByText('Valid until').waitFor();
    await row('ada@import.example').getByText('Valid until').waitFor();
    // The next test expects no pending invitation.
    await site.app.database.prisma.invitation.deleteMany({
      where: { email: { endsWith: '@import.example' } },
    });
  });

  it('An invited person opens the link, creates an account, and joins the organization', async () => {
    await open('/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog('Invite member').getByLabel('E-mail address').fill('Grace@Invited.example');
    await dialog('Invite member').getByRole('button', { name: 'Invite' }).click();
    const link =
      (await dialog('Invitation created').getByLabel('Link', { exact: true }).textContent()) ?? '';
    await dialog('Invitation created').getByRole('button', { name: 'Done' }).click();
    await row('grace@invited.example').getByText('Valid until').waitFor();
    expect(await browserContent(page)).not.toContain(new URL(link).searchParams.get('invitation'));
    await expectAccessibleInBoth(page);

    const guest = await site.page();
    await guest.goto(link);
    await guest.getByRole('heading', { name: `Join ${owner.slug}` }).waitFor();
    await expectAccessibleInBoth(guest);
    await guest.getByLabel('First name').fill('Grace');
    await guest.getByLabel('Last name').fill('Hopper');
    await expect
      .poll(() => guest.getByLabel('E-mail address').inputValue())
      .toBe('grace@invited.example');
    await guest.getByLabel('Password', { exact: true }).fill('a moth in the relay');
    await guest.getByRole('button', { name: 'Create an account' }).click();
    await guest.getByText('You are signed in as').waitFor();
    await expectAccessible(guest);
    // The form that had the focus is gone, and screen readers begin at the heading.
    expect(await guest.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await guest.getByRole('button', { name: `Join ${owner.slug}` }).click();
    await guest.waitForURL(`${site.origin}/`);

    await page.reload();
    await row('Grace Hopper').getByText('Member', { exact: true }).waitFor();
    await page.getByText('No pending invitations').waitFor();
    await guest.goto(link);
    await guest.getByRole('heading', { name: 'This invitation was already used' }).waitFor();
  });

  it('An invitation that cannot be used explains why, and a person signed in with another account can change it', async () => {
    const createInvitation = async (email: string) => {
      const { token, invitation } = await invite(admin, email);
      return { id: invitation.id, link: `${site.origin}/auth?invitation=${token}` };
    };
    const [revoked, expired, other] = [
      await createInvitation('a@gone.example'),
      await createInvitation('b@gone.example'),
      await createInvitation('c@gone.example'),
    ];
    await admin.graph(
      'mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { invitation { id } } }',
      {
        id: revoked.id,
      },
    );
    await site.app.database.prisma.invitation.update({
      where: { id: expired.id },
      data: { expiresAt: new Date() },
    });
    const guest = await site.page();
    for (const [link, title] of [
      [revoked.link, 'This invitation was revoked'],
      [expired.link, 'This invitation has expired'],
      [`${site.origin}/auth?invitation=unknown`, 'This invitation does not exist'],
    ] as const) {
      await guest.goto(link);
      await guest.getByRole('heading', { name: title }).waitFor();
    }
    await expectAccessibleInBoth(guest);
    const otherMember = await owner.member('stranger@gone.example');
    const signedIn = await site.page({ as: otherMember.id });
    await signedIn.goto(other.link);
    await signedIn.getByText('You are signed in as stranger@gone.example').waitFor();
    await expectAccessible(signedIn);
    await signedIn.getByRole('button', { name: 'Use another account' }).click();
    await signedIn.getByRole('heading', { name: 'Create your account' }).waitFor();
    expect(signedIn.url()).toBe(other.link);
  });

  it('An e-mailed invitation can be accepted after the address was confirmed', async () => {
    const mailbox = await receiveMail();
    const strict = await openConsole({
      ...ownDocuments,
      EMAIL_VERIFICATION: 'required',
      SIGN_UP: 'by-link',
      ...mailbox.settings,
    });
    const { administratorId, slug } = await strict.app.organization();
    await strict.app.database.prisma.user.update({
      where: { id: administratorId },
      data: { emailVerified: true },
    });
    const adminPage = await strict.page({ as: administratorId });
    await adminPage.goto(`${strict.origin}/settings/members`);
    await adminPage.getByRole('button', { name: 'Invite' }).click();
    await adminPage.getByRole('dialog').getByLabel('E-mail address').fill('mailed@invited.example');
    await adminPage.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await adminPage.getByText('We sent this link to').waitFor();

    const guest = await strict.page();
    await guest.goto(linkIn(await mailbox.next('mailed@invited.example')).href);
    await guest.getByLabel('First name').fill('Mia');
    await guest.getByLabel('Password', { exact: true }).fill('a moth in the relay');
    await guest.getByRole('button', { name: 'Create an account' }).click();
    await guest.getByText('Check your inbox').waitFor();
    await guest.goto(linkIn(await mailbox.next('mailed@invited.example')).href);
    await guest.getByRole('button', { name: `Join ${slug}` }).click();
    await guest.waitForURL(`${strict.origin}/`);
    expect(
      await strict.app.database.prisma.membership.count({
        where: { user: { email: 'mailed@invited.example' } },
      }),
    ).toBe(1);
    expect(strict.faults).toEqual([]);
    await strict.close();
    await mailbox.close();
  });

  it('A person whom a program created learns how to choose a password', async () => {
    const elsewhere = await site.app.organization();
    await elsewhere.manage('POST', '/users', { email: 'made@invited.example' });
    const { token } = await invite(admin, 'made@invited.example');
    const guest = await site.page();
    await guest.goto(`${site.origin}/auth?invitation=${token}`);
    await guest.getByText('has no password yet').waitFor();
    await guest.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    await expectAccessible(guest);
  });

  it('An administrator who becomes a member is sent to the pages that they can still use', async () => {
    const { id } = await owner.member('steps-back@members.example', { firstName: 'Sam' });
    await site.app.database.prisma.membership.updateMany({
      where: { userId: id },
      data: { role: 'ADMIN' },
    });
    const samPage = await site.page({ as: id });
    await open('/members', samPage);
    await row('steps-back@', samPage).getByRole('button', { name: 'Manage' }).click();
    await dialog('Sam', samPage)
      .getByLabel('Role', { exact: true })
      .selectOption({ label: 'Member' });
    await dialog('Sam', samPage).getByRole('button', { name: 'Save role' }).click();
    await samPage.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await samPage.getByRole('link', { name: 'Members' }).waitFor({ state: 'detached' });
  });

  it('An administrator searches members, changes a role, and removes a member', async () => {
    await owner.member('linus@members.example', { firstName: 'Linus', lastName: 'Example' });
    await owner.member('ken@members.example', { firstName: 'Ken', lastName: 'Example' });
    await open('/members');
    await page.getByLabel('Search by name or address').fill('LINUS@');
    await row('ken@members.example').waitFor({ state: 'detached' });
    for (const role of ['Administrator', 'Member']) {
      await row('linus@members.example').getByRole('button', { name: 'Manage' }).click();
      await dialog('Linus Example')
        .getByLabel('Role', { exact: true })
        .selectOption({ label: role });
      await dialog('Linus Example').getByRole('button', { name: 'Save role' }).click();
      await row('linus@members.example').getByText(role, { exact: true }).waitFor();
    }
    await row('linus@members.example').getByRole('button', { name: 'Manage' }).click();
    await expectAccessible(page);
    await dialog('Linus Example').getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog('Remove Linus Example?').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No matching members').waitFor();
  });

  it('The last administrator cannot become a member, and sees why', async () => {
    await open('/members');
    await row(`admin@${owner.slug}.example`).getByRole('button', { name: 'Manage' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Role', { exact: true })
      .selectOption({ label: 'Member' });
    await page.getByRole('dialog').getByRole('button', { name: 'Save role' }).click();
    await page.getByText('An organization keeps at least one administrator').waitFor();
  });

  it('An existing account can be added, and an unknown address is answered with a hint to invite', async () => {
    const elsewhere = await site.app.organization();
    await elsewhere.member('elsewhere@members.example');
    await open('/members');
    await page.getByRole('button', { name: 'Add existing account' }).click();
    await dialog('Add existing account')
      .getByLabel('E-mail address')
      .fill('nobody@members.example');
    await dialog('Add existing account').getByRole('button', { name: 'Add', exact: true }).click();
    await dialog('Add existing account').getByText('Invite the person instead').waitFor();
    await dialog('Add existing account')
      .getByLabel('E-mail address')
      .fill('elsewhere@members.example');
    await dialog('Add existing account').getByRole('button', { name: 'Add', exact: true }).click();
    await row('elsewhere@members.example').waitFor();
  });

  it('An administrator creates, fills, renames and deletes a team', async () => {
    await owner.member('tim@teams.example', { firstName: 'Tim', lastName: 'Teams' });
    await open('/teams');
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Create team' }).click();
    await dialog('Create team').getByLabel('Name').fill('everyone');
    await dialog('Create team').getByRole('button', { name: 'Create', exact: true }).click();
    await dialog('Create team').getByText('A team of this name exists already').waitFor();
    await dialog('Create team').getByLabel('Name').fill('Web');
    await dialog('Create team').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Web', level: 1 }).waitFor();
    await page.getByLabel('Add member by name or address').fill('tim@');
    await page.getByRole('button', { name: 'Add Tim Teams' }).click();
    await row('Tim Teams').waitFor();
    await page.getByText('In the team', { exact: true }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Remove Tim Teams' }).click();
    await page.getByText('No members yet').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('World wide');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'World wide', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Delete team' }).click();
    await dialog('Delete “World wide”?').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
    await row('Everyone').waitFor();
    await expect.poll(() => row('World wide').count()).toBe(0);
  });

  it('A new organization name is shown at once, and only platform support can change features', async () => {
    const other = await site.app.organization({ features: ['userManagement'], seatLimit: 3 });
    const adminPage = await site.page({ as: other.administratorId });
    await open('/organization', adminPage);
    await adminPage.getByText('1 of 3').waitFor();
    await adminPage.getByText('Platform support enables these features').waitFor();
    await adminPage.getByText('0 of 10,000').waitFor();
    await expect
      .poll(() => adminPage.getByRole('progressbar', { name: 'Total file size' }).count())
      .toBe(1);
    await expect.poll(() => adminPage.getByRole('checkbox').count()).toBe(0);
    await adminPage.getByRole('textbox', { name: 'Name' }).fill('Renamed in the page');
    await adminPage.getByRole('button', { name: 'Rename' }).click();
    await adminPage.getByRole('banner').getByText('Renamed in the page').first().waitFor();
    await expectAccessibleInBoth(adminPage);

    await site.app.database.prisma.user.update({
      where: { id: other.administratorId },
      data: { isPlatformSupport: true },
    });
    await giveSecondFactor(site.app, other.administratorId);
    await adminPage.reload();
    await expect
      .poll(() => adminPage.getByRole('checkbox', { name: 'User Management API' }).isChecked())
      .toBe(true);
    await adminPage.getByRole('checkbox', { name: 'User Management API' }).uncheck();
    await adminPage.getByRole('checkbox', { name: 'Assistant files' }).check();
    await adminPage.getByLabel('Seats').fill('');
    await adminPage.getByRole('button', { name: 'Save', exact: true }).click();
    await adminPage.getByText('taken, no limit').waitFor();
    await expectAccessible(adminPage);
    const { features, seatLimit } = await site.app.database.prisma.organization.findUniqueOrThrow({
      where: { id: other.id },
    });
    expect({ features, seatLimit }).toEqual({ features: ['assistantFiles'], seatLimit: null });
  });

  it('The audit log shows sentences, can be filtered, and exports the entries that match the filter', async () => {
    const other = await site.app.organization();
    const adminPage = await site.page({ as: other.administratorId });
    const session = await signIn(site.app, other.administratorId);
    for (const name of ['=1+1', 'Plain, "quoted"'])
      await session.graph(
        'mutation ($name: String!) { createTeam(input: { name: $name }) { team { id } } }',
        {
          name,
        },
      );
    const oldEntries = Array.from({ length: 120 }, (_, index) => ({
      ...{
        id: `old-${index}`,
        organizationId: other.id,
        at: new Date(2020, 0, 1, 0, index),
        actorKind: 'SYSTEM' as const,
      },
      ...{
        action: 'add-user',
        targetType: 'User',
        targetId: 'gone',
        changes: { email: `old${index}@audit.example` },
      },
    }));
    await site.app.database.prisma.auditEntry.createMany({ data: oldEntries });

    await open('/audit', adminPage);
    const entries = adminPage.getByRole('list', { name: 'Changes' }).locator(':scope > li');
    await entries.filter({ hasText: `Ada ${other.slug} created the team “=1+1”` }).waitFor();
    await expect.poll(() => entries.count()).toBe(50);
    await adminPage.getByRole('button', { name: 'Show older entries' }).click();
    await adminPage.getByText('Atrium added old30@audit.example').waitFor();
    await expect.poll(() => entries.count()).toBe(100);
    await entries.first().getByText('Details').click();
    await entries.first().getByText('session', { exact: true }).waitFor();
    await expectAccessibleInBoth(adminPage);

    const exportLog = async (button: string) => {
      const [download] = await Promise.all([
        adminPage.waitForEvent('download'),
        adminPage.getByRole('button', { name: button }).click(),
      ]);
      return {
        name: download.suggestedFilename(),
        text: await readFile(await download.path(), 'utf8'),
      };
    };
    const fullExport = await exportLog('Export as JSONL');
    expect(fullExport.name).toBe('audit-log.jsonl');
    const lines = fullExport.text
      .trimEnd()
      .split('\n')
      .filter((line) => JSON.parse(line).action !== 'sign-in');
    expect(lines).toHaveLength(122);
    expect(new Set(lines.map((line) => JSON.parse(line).changes.email)).size).toBe(121);

    const { promise: secondPage, resolve: letThrough } = Promise.withResolvers<void>();
    await adminPage.route('**/graphql', async (route) => {
      if (/"after":"/.test(route.request().postData() ?? '')) await secondPage;
      await route.continue();
    });
    let downloads = 0;
    adminPage.on('download', () => {
      downloads += 1;
    });
    await adminPage.getByRole('button', { name: 'Export as JSONL' }).click();
    await adminPage.getByText(/^100 of 12\d/).waitFor();
    await adminPage.getByRole('button', { name: 'Cancel' }).click();
    await adminPage.getByRole('button', { name: 'Export as JSONL' }).waitFor();
    letThrough();
    await adminPage.unrouteAll({ behavior: 'wait' });
    expect(downloads).toBe(0);

    await chooseByTyping(adminPage, 'Action', { text: 'Create team' });
    await adminPage.getByText('No older entries.').waitFor();
    await expect.poll(() => entries.count()).toBe(2);
    const teams = await exportLog('Export as CSV');
    const [head, ...rows] = teams.text.trimEnd().split('\r\n');
    expect(teams.name).toBe('audit-log.csv');
    expect(head).toBe(
      'at,actorKind,actorName,actorUserId,actorKeyId,action,targetType,targetId,targetName,changes,requestId,network,device',
    );
    expect(rows).toHaveLength(2);
    expect(teams.text).toContain(`,'=1+1,`);
    expect(teams.text).toContain(',"Plain, ""quoted""",');

    await adminPage.getByLabel('From').fill('2020-01-01');
    await adminPage.getByLabel('To', { exact: true }).fill('2020-01-01');
    await adminPage.getByText('No entries match these filters').waitFor();
    await adminPage.getByRole('button', { name: 'Clear filters' }).click();
    await chooseByTyping(adminPage, 'Actor', { text: `Ada ${other.slug}` });
    await adminPage.getByText('No older entries.').waitFor();
    // Two created teams and two sign-ins.
    await expect.poll(() => entries.count()).toBe(4);
    await adminPage.reload();
    await adminPage.getByText('No older entries.').waitFor();
    await expect.poll(() => entries.count()).toBe(4);
  });

  it('A changed name is shown in the header at once', async () => {
    await open('');
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('banner').getByText(`Augusta ${owner.slug}`).first().waitFor();
    await expectAccessibleInBoth(page);
  });

  it('A member sees no settings of administrators', async () => {
    const { id } = await owner.member('plain@settings.example');
    const member = await site.page({ as: id });
    await open('/members', member);
    await expect
      .poll(() =>
        member.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents(),
      )
      .not.toContain('Members');
    expect(await member.content()).not.toContain('admin@');
  });

  it('The settings fit on a phone in the dark theme', async () => {
    const phone = await site.page({
      as: owner.administratorId,
      width: 360,
      height: 740,
      dark: true,
    });
    for (const path of ['/organization-keys', '/organization', '/members', '/audit']) {
      await open(path, phone);
      if (path === '/audit') await phone.getByText('Details').first().click();
      await expectAccessible(phone);
    }
  });
});
