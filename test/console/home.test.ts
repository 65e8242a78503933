import { afterAll, beforeAll, expect, it } from 'vitest';
import { setPlatformSupport } from '../../src/modules/accounts/set-platform-support.ts';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn } from '../support/partner.ts';
import { rowsIn } from '../support/rows.ts';
import { giveSecondFactor } from '../support/second-factor.ts';
import { fileOf } from '../support/shelf.ts';

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);

describeInBrowser('the start page', () => {
  let people: TestConsole;
  let us: TestOrganization;
  let owner: TestPerson;

  beforeAll(async () => {
    people = await openConsole();
    us = await people.app.organization({
      seatLimit: 5,
      features: ['assistantFiles', 'userManagement'],
    });
    owner = await personIn(people.app, us);
    const handbook = await assistantOf(owner, { name: 'Handbook' });
    await share(owner, handbook, 'VIEW', { userId: us.administratorId });
    await fileOf(people.app, us, handbook, 'ready.pdf');
    const failed = await fileOf(people.app, us, handbook, 'broken.pdf');
    const data = {
      status: 'FAILED' as const,
      errorCode: 'ENCRYPTED',
      errorMessage: 'The document is protected by a password',
    };
    await people.app.database.prisma.assistantFile.update({ where: { id: failed }, data });
    await us.organizationKey({ expiresAt: inDays(6) });
  });
  afterAll(async () => {
    expect(people.faults).toEqual([]);
    await people.close();
  });

  const figure = async (page: Awaited<ReturnType<TestConsole['page']>>, name: string) =>
    page
      .getByRole('term')
      .filter({ hasText: name })
      .locator('xpath=..')
      .getByRole('definition')
      .textContent();

  it('shows an administrator the workspace: seats, assistants, files that failed and why, keys that end soon, and the vault', async () => {
    const page = await people.page({ as: us.administratorId });
    await page.goto(people.origin);
    await page.getByRole('heading', { level: 1, name: us.slug }).waitFor();
    expect(await figure(page, 'Members')).toContain('2 / 5');
    expect(await figure(page, 'Members')).toContain('3 free seats');
    expect(await figure(page, 'Files')).toMatch(/^2.*1 failed/);
    expect(await figure(page, 'Vault')).toContain('None');
    await page.getByText('The document is protected by a password').waitFor();
    const keys = page.getByRole('region', { name: 'Keys that end soon' });
    await expect.poll(() => keys.textContent()).toMatch(/of the organization.*in 6 days/);
    await expect.poll(() => page.getByText('First steps').count()).toBe(0);
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Ask Handbook' }).click();
    await page.waitForURL(/\/assistants\/[^/]+/);
  });

  it('shows a member what is theirs, and nothing that is for administrators', async () => {
    const page = await people.page({ as: owner.id });
    await page.goto(people.origin);
    await page.getByText('yours', { exact: true }).waitFor();
    for (const hidden of ['Keys that end soon', 'Vault', 'Sponsorship'])
      await expect.poll(() => page.getByText(hidden, { exact: true }).count()).toBe(0);
  });

  it.each([
    [200, 'Sponsored until', undefined],
    [20, 'The sponsorship ends in 20 days', 'Ask your sponsor to extend it'],
    [-1, 'The sponsorship ended on', 'Everything is kept'],
  ])('says %i days before its end how the sponsorship stands', async (days, told, advice) => {
    const sponsored = await people.app.organization();
    const data = { sponsoredUntil: new Date(Date.now() + days * dayMs + 60_000) };
    await people.app.database.prisma.organization.update({ where: { id: sponsored.id }, data });
    const page = await people.page({ as: sponsored.administratorId });
    await page.goto(people.origin);
    await page.getByText(told).waitFor();
    if (advice) await page.getByText(advice).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('leads somebody in an empty workspace through the first steps, and ticks off what is done', async () => {
    const { id, administratorId, keyOf } = await people.app.organization();
    await people.app.database.prisma.organization.update({
      where: { id },
      data: { name: 'Brand New' },
    });
    const page = await people.page({ as: administratorId, width: 360, height: 740 });
    await page.goto(people.origin);
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
    await steps.first().waitFor();
    await expect.poll(() => steps.count()).toBe(4);
    await expectAccessibleInBoth(page);
    const key = await keyOf('USER_KEY');
    await assistantOf(
      { graph: (query, variables) => people.app.graph(key, query, variables) },
      { name: 'First' },
    );
    await page.reload();
    await page.getByText('Make an assistant').waitFor();
    expect(await steps.filter({ hasText: '(done)' }).allTextContents()).toEqual([
      expect.stringContaining('Make an assistant'),
      expect.stringContaining('Ask from a program'),
    ]);
    await steps.getByRole('link', { name: 'Give it files' }).click();
    await page.waitForURL(/\/assistants\/[^/]+\/files$/);
  });

  it('shows a partner how their sponsoring stands', async () => {
    const partner = await partnerIn(people.app);
    const campaign = await partner.campaign({ durationMonths: 1 });
    await partner.redeem(await partner.link(campaign.id));
    const page = await people.page({ as: partner.administratorId });
    await page.goto(people.origin);
    const sponsoring = page.getByRole('region', { name: 'Sponsorship' });
    await sponsoring.waitFor();
    for (const told of [/1.*can be redeemed now/, /1.*are running/, /1.*redemptions/])
      await expect.poll(() => sponsoring.textContent()).toMatch(told);
    await expectAccessibleInBoth(page);
  });

  it('tells somebody without an organization how to get in', async () => {
    const { id, email } = await rowsIn(people.app.database).user();
    await people.app.database.prisma.account.create({
      data: { id, userId: id, accountId: id, providerId: 'credential' },
    });
    const page = await people.page({ as: id });
    await page.goto(people.origin);
    await page
      .getByRole('heading', { level: 1, name: 'You are not in an organization yet' })
      .waitFor();
    await page.getByText(email).first().waitFor();
    await expectAccessibleInBoth(page);
    await expect.poll(() => page.getByText('You work for the platform').count()).toBe(0);
    await setPlatformSupport({ email, isPlatformSupport: true, trustsAddress: true }, people.app);
    await page.reload();
    await page.getByText('A second factor is required here').waitFor();
    await giveSecondFactor(people.app, id);
    await page.goto(people.origin);
    await page.getByText('You work for the platform').waitFor();
  });
});
