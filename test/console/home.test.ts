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
import { createProcessedFile } from '../support/search-vault-stub.ts';
import { giveSecondFactor } from '../support/second-factor.ts';

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);

describeInBrowser('the start page', () => {
  let site: TestConsole;
  let organization: TestOrganization;
  let owner: TestPerson;

  beforeAll(async () => {
    site = await openConsole();
    organization = await site.app.organization({
      seatLimit: 5,
      features: ['assistantFiles', 'userManagement'],
    });
    owner = await personIn(site.app, organization);
    const handbook = await assistantOf(owner, { name: 'Handbook' });
    await share(owner, handbook, 'VIEW', { userId: organization.administratorId });
    await createProcessedFile(site.app, organization, handbook, 'ready.pdf');
    const failed = await createProcessedFile(site.app, organization, handbook, 'broken.pdf');
    const data = {
      status: 'FAILED' as const,
      errorCode: 'ENCRYPTED',
      errorMessage: 'The document is protected by a password',
    };
    await site.app.database.prisma.assistantFile.update({ where: { id: failed }, data });
    await organization.organizationKey({ expiresAt: inDays(6) });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  const figure = async (page: Awaited<ReturnType<TestConsole['page']>>, name: string) =>
    page
      .getByRole('term')
      .filter({ hasText: name })
      .locator('xpath=..')
      .getByRole('definition')
      .textContent();

  it('An administrator sees seats, assistants, failed files with the reason, expiring keys, and the vault', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1, name: organization.slug }).waitFor();
    expect(await figure(page, 'Members')).toContain('2 / 5');
    expect(await figure(page, 'Members')).toContain('3 free seats');
    expect(await figure(page, 'Files')).toMatch(/^2.*1 failed/);
    expect(await figure(page, 'Vault')).toContain('Not set up');
    await page.getByText('The document is protected by a password').waitFor();
    const keys = page.getByRole('region', { name: 'Keys that expire soon' });
    await expect.poll(() => keys.textContent()).toMatch(/organization key.*in 6 days/);
    await expect.poll(() => page.getByText('First steps').count()).toBe(0);
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Ask Handbook' }).click();
    await page.waitForURL(/\/assistants\/[^/]+/);
  });

  it('The first question is asked to an assistant with files, unless the person prefers another one', async () => {
    const person = await personIn(site.app, organization);
    const library = await assistantOf(person, { name: 'Library' });
    await createProcessedFile(site.app, organization, library, 'ready.pdf');
    const drafts = await assistantOf(person, { name: 'Drafts' });
    const page = await site.page({ as: person.id });
    await page.goto(site.origin);
    const picker = page.getByRole('combobox', { name: 'Assistant', exact: true });
    await expect.poll(() => picker.inputValue()).toBe('Library');
    await person.graph(
      'mutation ($assistantId: ID!) { setAssistantFavorite(input: { assistantId: $assistantId, isFavorite: true }) { assistant { id } } }',
      { assistantId: drafts },
    );
    await page.reload();
    await expect.poll(() => picker.inputValue()).toBe('Drafts');
  });

  it('A member sees their own assistants, and nothing that is for administrators', async () => {
    const page = await site.page({ as: owner.id });
    await page.goto(site.origin);
    await page.getByText('yours', { exact: true }).waitFor();
    for (const hidden of ['Keys that expire soon', 'Vault', 'Sponsorship'])
      await expect.poll(() => page.getByText(hidden, { exact: true }).count()).toBe(0);
  });

  it.each([
    [200, 'Sponsored until', undefined],
    [20, 'The sponsorship ends in 20 days', 'Ask your sponsor to extend it'],
    [-1, 'The sponsorship ended on', 'All data are kept'],
  ])('The start page shows the sponsorship %i days before its end', async (days, text, advice) => {
    const sponsored = await site.app.organization();
    const data = { sponsoredUntil: new Date(Date.now() + days * dayMs + 60_000) };
    await site.app.database.prisma.organization.update({ where: { id: sponsored.id }, data });
    const page = await site.page({ as: sponsored.administratorId });
    await page.goto(site.origin);
    await page.getByText(text).waitFor();
    if (advice) await page.getByText(advice).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('An empty workspace shows the first steps, and marks the completed ones', async () => {
    const { id, administratorId, keyOf } = await site.app.organization();
    await site.app.database.prisma.organization.update({
      where: { id },
      data: { name: 'Brand New' },
    });
    const page = await site.page({ as: administratorId, width: 360, height: 740 });
    await page.goto(site.origin);
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
    await steps.first().waitFor();
    await expect.poll(() => steps.count()).toBe(4);
    await expectAccessibleInBoth(page);
    const key = await keyOf('USER_KEY');
    await assistantOf(
      { graph: (query, variables) => site.app.graph(key, query, variables) },
      { name: 'First' },
    );
    await page.reload();
    await page.getByText('Create an assistant').waitFor();
    expect(await steps.filter({ hasText: '(done)' }).allTextContents()).toEqual([
      expect.stringContaining('Create an assistant'),
      expect.stringContaining('Call the API'),
    ]);
    await steps.getByRole('link', { name: 'Add files' }).click();
    await page.waitForURL(/\/assistants\/[^/]+\/files$/);
  });

  it('A partner sees a summary of their sponsorships', async () => {
    const partner = await partnerIn(site.app);
    const campaign = await partner.campaign({ durationMonths: 1 });
    await partner.redeem(await partner.link(campaign.id));
    const page = await site.page({ as: partner.administratorId });
    await page.goto(site.origin);
    const sponsoring = page.getByRole('region', { name: 'Sponsorship' });
    await sponsoring.waitFor();
    for (const text of [/1.*live/, /1.*running/, /1.*redemptions/])
      await expect.poll(() => sponsoring.textContent()).toMatch(text);
    await expectAccessibleInBoth(page);
  });

  it('A person without an organization sees how to join one', async () => {
    const { id, email } = await rowsIn(site.app.database).user();
    await site.app.database.prisma.account.create({
      data: { id, userId: id, accountId: id, providerId: 'credential' },
    });
    const page = await site.page({ as: id });
    await page.goto(site.origin);
    await page
      .getByRole('heading', { level: 1, name: 'You are not in an organization yet' })
      .waitFor();
    await page.getByText(email).first().waitFor();
    await expectAccessibleInBoth(page);
    await expect.poll(() => page.getByText('You are platform support').count()).toBe(0);
    await setPlatformSupport({ email, isPlatformSupport: true, trustsAddress: true }, site.app);
    await page.reload();
    await page.getByText('A second factor is required here').waitFor();
    await giveSecondFactor(site.app, id);
    await page.goto(site.origin);
    await page.getByText('You are platform support').waitFor();
  });
});
