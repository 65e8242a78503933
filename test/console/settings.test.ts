import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import {
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { invite } from '../support/invitations.ts';
import { linkIn, receiveMail } from '../support/mail.ts';
import { giveSecondFactor } from '../support/second-factor.ts';
import { signIn, type TestSession } from '../support/sign-in.ts';

const run = promisify(execFile);

describeInBrowser('settings', () => {
  let site: TestConsole;
  let owner: TestOrganization;
  let admin: TestSession;
  let page: Page;

  beforeAll(async () => {
    site = await openConsole();
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
  const row = (text: string, on: Page = page) => on.getByRole('row').filter({ hasText: text });
  const dialog = (name: string | RegExp, on: Page = page) => on.getByRole('dialog', { name });
  const users = (key: string) =>
    fetch(`${site.origin}/api/user-management/v1/users`, {
      headers: { authorization: `Bearer ${key}` },
    });

  /**
   * All that the browser holds of the page: its source as it is now, the fields' values, and what
   * it stores.
   */
  const heldBy = (on: Page) =>
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

  it('makes an organization key, shows it once, and what opens the API with it is refused from its revocation on', async () => {
    await open('/organization-keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog('Create a key').getByLabel('Name').fill('From the page');
    await dialog('Create a key').getByRole('button', { name: 'Create', exact: true }).click();
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
    const { stdout } = await run('bash', ['-c', command.replace('curl ', 'curl -s ')]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success' });
    expect((await users(key)).status).toBe(200);

    await dialog('Your new key').getByRole('button', { name: 'Done' }).click();
    await row('From the page').waitFor();
    expect(await heldBy(page)).not.toContain(key);
    expect(site.app.logLines.join('')).not.toContain(key);

    await row('From the page').getByRole('button', { name: 'Revoke' }).click();
    await dialog('Revoke this key?').getByRole('button', { name: 'Revoke' }).click();
    await row('From the page').getByText('Revoked').waitFor();
    expect((await users(key)).status).toBe(401);
    await page.reload();
    await row('From the page').waitFor();
    expect(await heldBy(page)).not.toContain(key);
  });

  it('lowers the limit of a key, which holds for the next request', async () => {
    const limitOf = async () => (await users(owner.key)).headers.get('x-ratelimit-limit');
    await open('/organization-keys');
    await row('test').getByText('100', { exact: true }).waitFor();
    await row('test').getByRole('button', { name: 'Edit limit of test' }).click();
    await dialog('Limit of “test”').getByLabel('Requests a minute').fill('25');
    await expectAccessibleInBoth(page);
    await dialog('Limit of “test”').getByRole('button', { name: 'Save', exact: true }).click();
    await row('test').getByText('25', { exact: true }).waitFor();
    expect(await limitOf()).toBe('25');
    await row('test').getByRole('button', { name: 'Edit limit of test' }).click();
    await dialog('Limit of “test”').getByLabel('Requests a minute').fill('');
    await dialog('Limit of “test”').getByRole('button', { name: 'Save', exact: true }).click();
    await row('test').getByText('100', { exact: true }).waitFor();
    expect(await limitOf()).toBe('100');
  });

  it('makes a key of one’s own that ends on a chosen day', async () => {
    await open('/keys');
    await page.getByText('There is no key yet').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog('Create a key').getByLabel('Name').fill('Laptop');
    await dialog('Create a key')
      .getByLabel('Works for')
      .selectOption({ label: 'Until a day of your choice' });
    await dialog('Create a key').getByLabel('Last day').fill('2099-12-31');
    await dialog('Create a key').getByRole('button', { name: 'Create', exact: true }).click();
    await dialog('Your new key').getByRole('button', { name: 'Done' }).click();
    await row('Laptop').getByText('until 31 Dec 2099').waitFor();
    await row('Laptop').getByText('Never').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('an invitation leads from the page over its link and a new account into the organization', async () => {
    await open('/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog('Invite somebody').getByLabel('E-mail address').fill('Grace@Invited.example');
    await dialog('Invite somebody').getByRole('button', { name: 'Invite' }).click();
    const link =
      (await dialog('The invitation is made').getByLabel('Link', { exact: true }).textContent()) ??
      '';
    await dialog('The invitation is made').getByRole('button', { name: 'Done' }).click();
    await row('grace@invited.example').getByText('Open until').waitFor();
    expect(await heldBy(page)).not.toContain(new URL(link).searchParams.get('invitation'));
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
    await guest.getByRole('button', { name: `Join ${owner.slug}` }).click();
    await guest.waitForURL(`${site.origin}/`);

    await page.reload();
    await row('Grace Hopper').getByText('Member', { exact: true }).waitFor();
    await page.getByText('Nobody is invited at the moment').waitFor();
    await guest.goto(link);
    await guest.getByRole('heading', { name: 'This invitation was used' }).waitFor();
  });

  it('an invitation that leads nowhere says why, and who is signed in as another can change that', async () => {
    const invited = async (email: string) => {
      const { token, invitation } = await invite(admin, email);
      return { id: invitation.id, link: `${site.origin}/auth?invitation=${token}` };
    };
    const [revoked, expired, other] = [
      await invited('a@gone.example'),
      await invited('b@gone.example'),
      await invited('c@gone.example'),
    ];
    await admin.graph('mutation ($id: ResourceId!) { revokeInvitation(id: $id) { id } }', {
      id: revoked.id,
    });
    await site.app.database.prisma.invitation.update({
      where: { id: expired.id },
      data: { expiresAt: new Date() },
    });
    const guest = await site.page();
    for (const [link, title] of [
      [revoked.link, 'This invitation was withdrawn'],
      [expired.link, 'This invitation has expired'],
      [`${site.origin}/auth?invitation=unknown`, 'This link leads nowhere'],
    ] as const) {
      await guest.goto(link);
      await guest.getByRole('heading', { name: title }).waitFor();
    }
    await expectAccessibleInBoth(guest);
    const stranger = await owner.member('stranger@gone.example');
    const signedIn = await site.page({ as: stranger.id });
    await signedIn.goto(other.link);
    await signedIn.getByText('You are signed in as stranger@gone.example').waitFor();
    await expectAccessible(signedIn);
    await signedIn.getByRole('button', { name: 'Use another account' }).click();
    await signedIn.getByRole('heading', { name: 'Make your account' }).waitFor();
    expect(signedIn.url()).toBe(other.link);
  });

  it('an invitation that came by mail survives the confirmation of the address', async () => {
    const post = await receiveMail();
    const strict = await openConsole({
      EMAIL_VERIFICATION: 'required',
      SIGN_UP: 'by-link',
      ...post.settings,
    });
    const { administratorId, slug } = await strict.app.organization();
    await strict.app.database.prisma.user.update({
      where: { id: administratorId },
      data: { emailVerified: true },
    });
    const hers = await strict.page({ as: administratorId });
    await hers.goto(`${strict.origin}/settings/members`);
    await hers.getByRole('button', { name: 'Invite' }).click();
    await hers.getByRole('dialog').getByLabel('E-mail address').fill('mailed@invited.example');
    await hers.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await hers.getByText('A mail with this link is on its way').waitFor();

    const guest = await strict.page();
    await guest.goto(linkIn(await post.next('mailed@invited.example')).href);
    await guest.getByLabel('First name').fill('Mia');
    await guest.getByLabel('Password', { exact: true }).fill('a moth in the relay');
    await guest.getByRole('button', { name: 'Create an account' }).click();
    await guest.getByText('Look into your mailbox').waitFor();
    await guest.goto(linkIn(await post.next('mailed@invited.example')).href);
    await guest.getByRole('button', { name: `Join ${slug}` }).click();
    await guest.waitForURL(`${strict.origin}/`);
    expect(
      await strict.app.database.prisma.membership.count({
        where: { user: { email: 'mailed@invited.example' } },
      }),
    ).toBe(1);
    expect(strict.faults).toEqual([]);
    await strict.close();
    await post.close();
  });

  it('who was made a member by a program is told how to get a password', async () => {
    const elsewhere = await site.app.organization();
    await elsewhere.manage('POST', '/users', { email: 'made@invited.example' });
    const { token } = await invite(admin, 'made@invited.example');
    const guest = await site.page();
    await guest.goto(`${site.origin}/auth?invitation=${token}`);
    await guest.getByText('has no password yet').waitFor();
    await guest.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    await expectAccessible(guest);
  });

  it('an administrator who steps back is led to what is still theirs', async () => {
    const { id } = await owner.member('steps-back@members.example', { firstName: 'Sam' });
    await site.app.database.prisma.membership.updateMany({
      where: { userId: id },
      data: { role: 'ADMIN' },
    });
    const theirs = await site.page({ as: id });
    await open('/members', theirs);
    await row('steps-back@', theirs).getByRole('button', { name: 'Manage' }).click();
    await dialog('Sam', theirs)
      .getByLabel('Role', { exact: true })
      .selectOption({ label: 'Member' });
    await dialog('Sam', theirs).getByRole('button', { name: 'Save the role' }).click();
    await theirs.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await theirs.getByRole('link', { name: 'Members' }).waitFor({ state: 'detached' });
  });

  it('finds members, makes one an administrator and back, and removes one', async () => {
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
      await dialog('Linus Example').getByRole('button', { name: 'Save the role' }).click();
      await row('linus@members.example').getByText(role, { exact: true }).waitFor();
    }
    await row('linus@members.example').getByRole('button', { name: 'Manage' }).click();
    await expectAccessible(page);
    await dialog('Linus Example').getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog('Remove Linus Example?').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nobody is called that').waitFor();
  });

  it('the last administrator can not step back, and is told so', async () => {
    await open('/members');
    await row(`admin@${owner.slug}.example`).getByRole('button', { name: 'Manage' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Role', { exact: true })
      .selectOption({ label: 'Member' });
    await page.getByRole('dialog').getByRole('button', { name: 'Save the role' }).click();
    await page.getByText('An organization keeps at least one administrator').waitFor();
  });

  it('adds an account that exists, and asks to invite one that does not', async () => {
    const elsewhere = await site.app.organization();
    await elsewhere.member('elsewhere@members.example');
    await open('/members');
    await page.getByRole('button', { name: 'Add an account' }).click();
    await dialog('Add an account').getByLabel('E-mail address').fill('nobody@members.example');
    await dialog('Add an account').getByRole('button', { name: 'Add', exact: true }).click();
    await dialog('Add an account').getByText('Invite the person instead').waitFor();
    await dialog('Add an account').getByLabel('E-mail address').fill('elsewhere@members.example');
    await dialog('Add an account').getByRole('button', { name: 'Add', exact: true }).click();
    await row('elsewhere@members.example').waitFor();
  });

  it('makes a team, puts somebody in and takes them out, renames and deletes it', async () => {
    await owner.member('tim@teams.example', { firstName: 'Tim', lastName: 'Teams' });
    await open('/teams');
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Create a team' }).click();
    await dialog('Create a team').getByLabel('Name').fill('everyone');
    await dialog('Create a team').getByRole('button', { name: 'Create', exact: true }).click();
    await dialog('Create a team').getByText('A team of this name exists already').waitFor();
    await dialog('Create a team').getByLabel('Name').fill('Web');
    await dialog('Create a team').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Web', level: 1 }).waitFor();
    await page.getByLabel('Add a member: name or address').fill('tim@');
    await page.getByRole('button', { name: 'Add Tim Teams' }).click();
    await row('Tim Teams').waitFor();
    await page.getByText('In the team', { exact: true }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Take out Tim Teams' }).click();
    await page.getByText('Nobody is in this team yet').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('World wide');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'World wide', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Delete the team' }).click();
    await dialog('Delete “World wide”?').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
    await row('Everyone').waitFor();
    await expect.poll(() => row('World wide').count()).toBe(0);
  });

  it('renames the organization, which shows everywhere at once, and tells who switches features', async () => {
    const other = await site.app.organization({ features: ['userManagement'], seatLimit: 3 });
    const hers = await site.page({ as: other.administratorId });
    await open('/organization', hers);
    await hers.getByText('1 of 3').waitFor();
    await hers.getByText('Platform support switches these on and off').waitFor();
    await hers.getByText('0 of 10,000').waitFor();
    await expect
      .poll(() => hers.getByRole('progressbar', { name: 'Size of all files' }).count())
      .toBe(1);
    await expect.poll(() => hers.getByRole('checkbox').count()).toBe(0);
    await hers.getByRole('textbox', { name: 'Name' }).fill('Renamed in the page');
    await hers.getByRole('button', { name: 'Rename' }).click();
    await hers.getByRole('banner').getByText('Renamed in the page').first().waitFor();
    await expectAccessibleInBoth(hers);

    await site.app.database.prisma.user.update({
      where: { id: other.administratorId },
      data: { isPlatformSupport: true },
    });
    await giveSecondFactor(site.app, other.administratorId);
    await hers.reload();
    await expect
      .poll(() => hers.getByRole('checkbox', { name: 'User Management API' }).isChecked())
      .toBe(true);
    await hers.getByRole('checkbox', { name: 'User Management API' }).uncheck();
    await hers.getByRole('checkbox', { name: 'Assistant files' }).check();
    await hers.getByLabel('Seats').fill('');
    await hers.getByRole('button', { name: 'Save', exact: true }).click();
    await hers.getByText('taken, without a limit').waitFor();
    await expectAccessible(hers);
    const { features, seatLimit } = await site.app.database.prisma.organization.findUniqueOrThrow({
      where: { id: other.id },
    });
    expect({ features, seatLimit }).toEqual({ features: ['assistantFiles'], seatLimit: null });
  });

  it('tells the audit log in sentences, filters it, and exports what the filter finds', async () => {
    const other = await site.app.organization();
    const hers = await site.page({ as: other.administratorId });
    const session = await signIn(site.app, other.administratorId);
    for (const name of ['=1+1', 'Plain, "quoted"'])
      await session.graph('mutation ($name: TeamName!) { createTeam(name: $name) { id } }', {
        name,
      });
    const made = Array.from({ length: 120 }, (_, index) => ({
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
    await site.app.database.prisma.auditEntry.createMany({ data: made });

    await open('/audit', hers);
    const entries = hers.getByRole('list', { name: 'Changes' }).locator(':scope > li');
    await entries.filter({ hasText: `Ada ${other.slug} made the team “=1+1”` }).waitFor();
    await expect.poll(() => entries.count()).toBe(50);
    await hers.getByRole('button', { name: 'Show older entries' }).click();
    await hers.getByText('Atrium added old30@audit.example').waitFor();
    await expect.poll(() => entries.count()).toBe(100);
    await entries.first().getByText('Details').click();
    await entries.first().getByText('signed in').waitFor();
    await expectAccessibleInBoth(hers);

    const saved = async (button: string) => {
      const [download] = await Promise.all([
        hers.waitForEvent('download'),
        hers.getByRole('button', { name: button }).click(),
      ]);
      return {
        name: download.suggestedFilename(),
        text: await readFile(await download.path(), 'utf8'),
      };
    };
    const everything = await saved('Export as JSONL');
    expect(everything.name).toBe('audit-log.jsonl');
    const lines = everything.text
      .trimEnd()
      .split('\n')
      .filter((line) => JSON.parse(line).action !== 'sign-in');
    expect(lines).toHaveLength(122);
    expect(new Set(lines.map((line) => JSON.parse(line).changes.email)).size).toBe(121);

    const { promise: secondPage, resolve: letThrough } = Promise.withResolvers<void>();
    await hers.route('**/graphql', async (route) => {
      if (/"before":"/.test(route.request().postData() ?? '')) await secondPage;
      await route.continue();
    });
    let downloads = 0;
    hers.on('download', () => {
      downloads += 1;
    });
    await hers.getByRole('button', { name: 'Export as JSONL' }).click();
    await hers.getByText(/^100 of 12\d/).waitFor();
    await hers.getByRole('button', { name: 'Cancel' }).click();
    await hers.getByRole('button', { name: 'Export as JSONL' }).waitFor();
    letThrough();
    await hers.unrouteAll({ behavior: 'wait' });
    expect(downloads).toBe(0);

    await hers.getByLabel('What', { exact: true }).selectOption({ label: 'Create team' });
    await hers.getByText('That is all.').waitFor();
    await expect.poll(() => entries.count()).toBe(2);
    const teams = await saved('Export as CSV');
    const [head, ...rows] = teams.text.trimEnd().split('\r\n');
    expect(teams.name).toBe('audit-log.csv');
    expect(head).toBe(
      'at,actorKind,actorName,actorUserId,actorKeyId,action,targetType,targetId,targetName,changes,requestId,network,device',
    );
    expect(rows).toHaveLength(2);
    expect(teams.text).toContain(`,"'=1+1",`);
    expect(teams.text).toContain(',"Plain, ""quoted""",');

    await hers.getByLabel('From').fill('2020-01-01');
    await hers.getByLabel('Up to').fill('2020-01-01');
    await hers.getByText('Nothing of this kind has happened').waitFor();
    await hers.getByRole('button', { name: 'Show everything' }).click();
    await hers.getByLabel('Who').selectOption({ label: `Ada ${other.slug}` });
    await hers.getByText('That is all.').waitFor();
    // Two teams, and two times that she signed in.
    await expect.poll(() => entries.count()).toBe(4);
    await hers.reload();
    await hers.getByText('That is all.').waitFor();
    await expect.poll(() => entries.count()).toBe(4);
  });

  it('changes one’s own name, which the page then calls one by', async () => {
    await open('');
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('banner').getByText(`Augusta ${owner.slug}`).first().waitFor();
    await expectAccessibleInBoth(page);
  });

  it('shows a member nothing of what only administrators set', async () => {
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

  it('fits a phone, in the dark', async () => {
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
