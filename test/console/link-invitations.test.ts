import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendLinkInvitations } from '../../src/modules/sponsorship/invitations/send-link-invitations.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { linkIn, receiveMail } from '../support/mail.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

describeInBrowser('invitations to a link in the console', () => {
  let site: TestConsole;
  let partner: TestPartner;
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let linkId: string;
  let page: Page;
  beforeAll(async () => {
    mail = await receiveMail();
    site = await openConsole(mail.settings);
    partner = await partnerIn(site.app);
    const campaign = await partner.campaign({
      ...{ name: 'Spring', allowedEmailDomains: ['guests.example'] },
    });
    ({ id: linkId } = await partner.link(campaign.id, { name: 'Personal' }));
    page = await site.page({ as: partner.administratorId });
  }, 120_000);
  afterAll(async () => {
    await site.close();
    await mail.close();
  });

  const send = () => sendLinkInvitations(site.app.contextParts);
  const open = async (visited = page) => {
    await visited.goto(`${site.origin}/sponsorship/links/${linkId}`);
    await visited.getByRole('heading', { level: 1, name: 'Personal' }).waitFor();
  };
  const rowOf = (email: string, visited = page) =>
    visited.getByRole('table').getByRole('row', { name: email });

  it('A partner invites the people of a list, learns who was left out, and sees the state of each', async () => {
    await open();
    await page.getByText('No invitations yet').waitFor();
    await page.getByRole('button', { name: 'Invite people' }).click();
    const form = page.getByRole('form', { name: 'Invite people' });
    await form.getByLabel('E-mail addresses').fill('name\n');
    await form.getByRole('button', { name: 'Invite people' }).click();
    await form.getByText('There is no e-mail address in the list.').waitFor();
    await form.getByLabel('File with addresses').setInputFiles({
      ...{ name: 'people.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(
        'Name;Mail\nAda;ada@guests.example\nBo;bo@guests.example\nX;x@other.example\n',
      ),
    });
    await form.getByLabel('Valid for').selectOption({ label: '7 days' });
    await form.getByLabel('Reminder').selectOption({ label: '7 days before the end' });
    await form.getByRole('button', { name: 'Invite 3 people' }).click();
    await form.getByText('The reminder must come after the invitation.').waitFor();
    await form.getByLabel('Reminder').selectOption({ label: '2 days before the end' });
    await expectAccessibleInBoth(page);
    await form.getByRole('button', { name: 'Invite 3 people' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 people were invited.').waitFor();
    await dialog.getByRole('row', { name: /x@other\.example.*Not on the lists/ }).waitFor();
    await expectAccessibleInBoth(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await rowOf('ada@guests.example').getByText('Not sent yet').waitFor();
    expect(await send()).toBe(2);
    await open();
    await rowOf('ada@guests.example').getByText('Sent', { exact: true }).waitFor();
    const stored = await site.app.database.prisma.linkInvitation.findMany();
    expect(stored.map(({ reminderDays }) => reminderDays)).toEqual([2, 2]);
    await expectAccessibleInBoth(page);
  });

  it('The partner finds an invitation by its address, and revokes it; its mail then leads to a page that says so', async () => {
    await open();
    await page.getByLabel('Search by address').fill('bo@');
    await rowOf('ada@guests.example').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke bo@guests.example' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke the invitation?' });
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The invitation was revoked').waitFor();
    await rowOf('bo@guests.example').getByText('Revoked').waitFor();
    const visitor = await site.page();
    await visitor.goto(String(linkIn(await mail.next('bo@guests.example'))));
    await visitor
      .getByRole('heading', { level: 1, name: 'This invitation was withdrawn' })
      .waitFor();
    await expectAccessibleInBoth(visitor);
  });

  it('A person who types another address than the invited one is told so before they have an account', async () => {
    const visitor = await site.page();
    await visitor.goto(String(linkIn(await mail.next('ada@guests.example'))));
    await visitor.getByRole('heading', { level: 1, name: /gives you Atrium/ }).waitFor();
    await visitor.getByLabel('First name').fill('Eve');
    await visitor.getByLabel('E-mail address').fill('eve@guests.example');
    await visitor.getByLabel('Password', { exact: true }).fill('quite a long passphrase 7');
    await visitor.getByRole('button', { name: 'Create an account' }).click();
    await visitor.getByText('This offer is not open to your e-mail address').waitFor();
    expect(
      await site.app.database.prisma.user.count({ where: { email: 'eve@guests.example' } }),
    ).toBe(0);
  });

  it('On a phone and in German the invitations fit', async () => {
    const phone = await site.page({
      ...{ as: partner.administratorId, reusesSession: true },
      ...{ width: 390, height: 844, touch: true, locale: 'de-DE' },
    });
    await open(phone);
    await rowOf('ada@guests.example', phone).waitFor();
    await expectAccessibleInBoth(phone);
    await phone.getByRole('button', { name: 'Personen einladen' }).click();
    await phone.getByRole('form', { name: 'Personen einladen' }).waitFor();
    await expectAccessibleInBoth(phone);
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(site.faults).toEqual([]);
  });
});
