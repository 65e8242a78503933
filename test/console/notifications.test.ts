import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notificationStatement } from '../../src/modules/notifications/notify.ts';
import type { NotificationKind } from '../../src/platform/database/generated/client.ts';
import { fragment } from '../../src/platform/database/sql.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn } from '../support/partner.ts';
import { redeemMany } from '../support/redeem-many.ts';

describeInBrowser('notifications in the console', () => {
  let site: TestConsole;
  let organization: TestOrganization;

  beforeAll(async () => {
    site = await openConsole();
    organization = await site.app.organization();
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  const tell = (
    { id }: { id: string },
    kinds: readonly NotificationKind[] = ['BUDGET_REACHED'],
    at = new Date(),
  ) =>
    inTransaction(site.app.database.unscoped, async (tx) => {
      for (const [index, kind] of kinds.entries()) {
        const recipients = fragment`
          select ${organization.id}::text as organization_id, ${id}::text as user_id, ${`subject-${index}`}::text as subject_id,
            'assistant'::text as assistant_id, null::text as conversation_id`;
        tx.enqueue`${notificationStatement({ kind, recipients, at: new Date(at.getTime() - index) })}`;
      }
    });
  const bell = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const person = (): Promise<TestPerson> => personIn(site.app, organization);

  it('The bell shows how many are unread, its panel opens by keyboard, and Escape closes it and gives the focus back', async () => {
    const [owner, reader] = [await person(), await person()];
    await share(owner, await assistantOf(owner, { name: 'Handbook' }), 'VIEW', {
      userId: reader.id,
    });
    const page = await site.page({ as: reader.id });
    await page.goto(`${site.origin}/`);
    await bell(page, 'Notifications, 1 unread').focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel
      .getByRole('link', { name: /An assistant was shared with you: Handbook.*Unread/ })
      .waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    expect(
      await bell(page, 'Notifications, 1 unread').evaluate((e) => e === document.activeElement),
    ).toBe(true);
  });

  it('An entry of the panel opens its page and is read', async () => {
    const [owner, reader] = [await person(), await person()];
    const assistantId = await assistantOf(owner, { name: 'Handbook' });
    await share(owner, assistantId, 'VIEW', { userId: reader.id });
    const page = await site.page({ as: reader.id });
    await page.goto(`${site.origin}/settings`);
    await bell(page, 'Notifications, 1 unread').click();
    await page.getByRole('link', { name: /An assistant was shared with you/ }).click();
    await page.waitForURL(`${site.origin}/assistants/${assistantId}`);
    await bell(page, 'Notifications').waitFor();
  });

  it('The page shows all of them by pages, and marks all as read', async () => {
    const reader = await person();
    await tell(
      reader,
      Array.from({ length: 25 }, () => 'BUDGET_REACHED' as const),
    );
    const page = await site.page({ as: reader.id });
    await page.goto(`${site.origin}/`);
    await bell(page, 'Notifications, 25 unread').click();
    await page.getByRole('link', { name: 'All notifications' }).click();
    const table = page.getByRole('table', { name: 'Your notifications' });
    await table.getByText('Unread').first().waitFor();
    expect(await table.getByRole('row').count()).toBe(21);
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('21–25').waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('All notifications are marked as read').waitFor();
    await table.getByText('Read', { exact: true }).first().waitFor();
    await bell(page, 'Notifications').waitFor();
    expect(await page.getByRole('button', { name: 'Mark all as read' }).isDisabled()).toBe(true);
  });

  it.each([
    {
      locale: 'en-GB',
      path: '/notifications',
      text: 'The sponsorship of “Soon” ends on 15 Jun 2099',
    },
    {
      locale: 'de-DE',
      path: '/notifications',
      text: 'Das Sponsoring von „Soon“ endet am 15.06.2099',
    },
  ])('The end of a sponsorship names the workspace and the day ($locale)', async (example) => {
    const partner = await partnerIn(site.app);
    const { id: campaignId } = await partner.campaign();
    await redeemMany(site.app, (await partner.link(campaignId)).id, ['Soon']);
    const { prisma } = site.app.database;
    const { id } = await prisma.redemption.findFirstOrThrow({ where: { campaignId } });
    const sponsoredUntil = new Date('2099-06-15T12:00:00.000Z');
    await prisma.redemption.update({ where: { id }, data: { sponsoredUntil } });
    await inTransaction(site.app.database.unscoped, async (tx) => {
      const recipients = fragment`
        select ${partner.id}::text as organization_id, ${partner.administratorId}::text as user_id, ${id}::text as subject_id,
          null::text as assistant_id, null::text as conversation_id`;
      tx.enqueue`${notificationStatement({ kind: 'REDEMPTION_ENDS', recipients, at: new Date() })}`;
    });
    const page = await site.page({ as: partner.administratorId, locale: example.locale });
    await page.goto(site.origin + example.path);
    await page.getByRole('link', { name: example.text }).click();
    await page.waitForURL(`${site.origin}/sponsorship/redemptions/${id}`);
  });

  it('A new one appears on the page without a reload', async () => {
    const reader = await person();
    const page = await site.page({ as: reader.id });
    await page.goto(`${site.origin}/notifications`);
    await page.getByText('No notifications').waitFor();
    await tell(reader, ['KEY_EXPIRES']);
    await page.getByRole('link', { name: 'A key of yours expires soon' }).waitFor();
  });

  it('A kind that is switched off in the profile is not stored, after a reload as well', async () => {
    const reader = await person();
    const page = await site.page({ as: reader.id });
    await page.goto(`${site.origin}/settings`);
    const kind = page.getByRole('checkbox', { name: 'A key of yours expires soon' });
    await kind.uncheck();
    await expect
      .poll(
        () => site.app.database.sql`
          select muted_notifications::text as muted from users where id = ${reader.id}`,
      )
      .toEqual([{ muted: '{KEY_EXPIRES}' }]);
    await page.reload();
    await kind.waitFor();
    expect(await kind.isChecked()).toBe(false);
    await tell(reader, ['KEY_EXPIRES', 'ASSISTANT_SHARED']);
    await page.goto(`${site.origin}/notifications`);
    await page.getByRole('link', { name: 'An assistant was shared with you' }).waitFor();
    expect(await page.getByRole('link', { name: 'A key of yours expires soon' }).count()).toBe(0);
    await expectAccessibleInBoth(page);
  });

  it('In German and on a phone the panel, the page and the switches are accessible', async () => {
    const reader = await person();
    await tell(reader, ['RUN_ENDED', 'FILE_FAILED', 'FEEDBACK_SHARED']);
    const page = await site.page({
      ...{ as: reader.id, locale: 'de-DE', width: 360, height: 740, touch: true },
    });
    await page.goto(`${site.origin}/`);
    await bell(page, 'Mitteilungen, 3 ungelesen').click();
    const panel = page.getByRole('dialog', { name: 'Mitteilungen' });
    await panel.getByText('Eine lange Antwort für Sie ist beendet').waitFor();
    await expectAccessibleInBoth(page);
    await panel.getByRole('link', { name: 'Alle Mitteilungen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mitteilungen' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.goto(`${site.origin}/settings`);
    await page.getByRole('checkbox', { name: 'Ein Schlüssel von Ihnen läuft bald ab' }).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('The number of the bell does not ask a person whose session has ended to sign in', async () => {
    const reader = await person();
    const page = await site.page({ as: reader.id });
    await page.clock.install();
    const asked = () =>
      page.waitForResponse((response) =>
        (response.request().postData() ?? '').includes('UnreadNotifications {'),
      );
    const first = asked();
    await page.goto(`${site.origin}/settings`);
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    await page.clock.runFor(2_000);
    expect(await (await first).text()).toContain('"count":0');
    await site.app.database.sql`delete from sessions where user_id = ${reader.id}`;
    const second = asked();
    await page.clock.runFor(61_000);
    expect(await (await second).text()).toContain('UNAUTHENTICATED');
    await bell(page, 'Notifications').waitFor();
    expect(await page.getByRole('dialog', { name: 'Sign in again' }).count()).toBe(0);
  });

  it('“Go to…” finds the page', async () => {
    const reader = await person();
    const page = await site.page({ as: reader.id });
    await page.goto(`${site.origin}/settings`);
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    await page.keyboard.press('Control+K');
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await palette.getByRole('combobox').fill('notif');
    await palette.getByRole('option', { name: 'Notifications' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  });

  it('A person without an organization has no bell', async () => {
    const guest = await person();
    await site.app.database.sql`delete from memberships where user_id = ${guest.id}`;
    const page = await site.page({ as: guest.id });
    await page.goto(`${site.origin}/settings`);
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    expect(await bell(page, /^Notifications/).count()).toBe(0);
  });
});
