import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import {
  chooseByTyping,
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('sharing of assistants', () => {
  let site: TestConsole;
  let organization: TestOrganization;
  let member: TestPerson;
  let graceId: string;
  let teamId: string;
  beforeAll(async () => {
    site = await openConsole();
    organization = await site.app.organization();
    member = await personIn(site.app, organization);
    const grace = await organization.member('grace@sharing.example', {
      firstName: 'Grace',
      lastName: 'Höpper',
    });
    graceId = grace.id;
    const { body } = await organization.manage('POST', '/teams', { name: 'Sales' });
    teamId = Object(body['team']).id;
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  async function openSettings(userId: string, assistantId: string, width: number): Promise<Page> {
    const page = await site.page({ as: userId, reusesSession: true, width });
    await page.goto(`${site.origin}/assistants/${assistantId}/settings`);
    await page.getByRole('combobox', { name: 'Person or team' }).waitFor();
    return page;
  }
  const chosen = (page: Page) =>
    page.getByRole('list', { name: 'Chosen people and teams' }).getByRole('listitem');
  const share = (page: Page) => page.getByRole('button', { name: 'Share', exact: true });
  const sharesOf = async (assistantId: string) =>
    (
      await site.app.database.prisma.assistantShare.findMany({
        where: { assistantId },
        select: { userId: true, teamId: true, level: true },
      })
    ).map(({ userId, teamId: team, level }) => `${userId ?? team ?? 'everybody'} ${level}`);

  it.each([390, 1280])(
    'An administrator chooses a person and a team by typing, each with a level, removes one again, and shares (%i px)',
    async (width) => {
      const { administratorId } = organization;
      const { key } = await organization.userKey(administratorId);
      const graph = (query: string, variables?: Record<string, unknown>) =>
        site.app.graph(key, query, variables);
      const assistantId = await assistantOf({ graph });
      const page = await openSettings(administratorId, assistantId, width);
      expect(await share(page).isDisabled()).toBe(true);
      await chooseByTyping(page, 'Person or team', { text: 'hopper', option: 'Grace Höpper' });
      await page.getByLabel('Level for Grace Höpper (grace@sharing.example)').selectOption('EDIT');
      await chooseByTyping(page, 'Person or team', { text: 'sal', option: 'Team Sales' });
      await chooseByTyping(page, 'Person or team', { text: 'everybody', option: 'Everybody' });
      expect(await chosen(page).count()).toBe(3);
      await page.getByLabel('Level for Team Sales').selectOption('VIEW');
      await expectAccessibleInBoth(page);
      await page.getByRole('button', { name: 'Remove Everybody in the organization' }).click();
      await expect.poll(() => chosen(page).count()).toBe(2);
      await share(page).click();
      await page.getByRole('row').filter({ hasText: 'Team Sales' }).waitFor();
      await expect.poll(() => chosen(page).count()).toBe(0);
      expect((await sharesOf(assistantId)).toSorted()).toEqual(
        [`${administratorId} OWNER`, `${graceId} EDIT`, `${teamId} VIEW`].toSorted(),
      );
      // Who has access is not offered again.
      const input = page.getByRole('combobox', { name: 'Person or team' });
      await input.click();
      await page.getByRole('option', { name: 'Everybody in the organization' }).waitFor();
      expect(await page.getByRole('option', { name: 'Team Sales' }).count()).toBe(0);
    },
  );

  it('An answer that was read before a second change does not stay on the page', async () => {
    const { administratorId } = organization;
    const { key } = await organization.userKey(administratorId);
    const graph = (query: string, variables?: Record<string, unknown>) =>
      site.app.graph(key, query, variables);
    const page = await openSettings(administratorId, await assistantOf({ graph }), 1280);
    const secondShare = page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes('"teamId"')),
    );
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query Shares')) return route.continue();
      const response = await route.fetch();
      await (await secondShare).finished();
      return route.fulfill({ response });
    });
    await chooseByTyping(page, 'Person or team', { text: 'hopper', option: 'Grace Höpper' });
    await chooseByTyping(page, 'Person or team', { text: 'sal', option: 'Team Sales' });
    await share(page).click();
    await page.getByRole('row').filter({ hasText: 'Grace Höpper' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Team Sales' }).waitFor();
  });

  it('A member cannot list people, and shares with an address; one that nobody has is refused and stays chosen', async () => {
    const assistantId = await assistantOf(member);
    const page = await openSettings(member.id, assistantId, 1280);
    const input = page.getByRole('combobox', { name: 'Person or team' });
    await input.fill('Grace');
    const list = page.getByRole('listbox', { name: 'Person or team', includeHidden: true });
    await expect.poll(() => list.getByRole('option').count()).toBe(0);
    await chooseByTyping(page, 'Person or team', { text: 'grace@sharing.example' });
    await chooseByTyping(page, 'Person or team', { text: 'nobody@sharing.example' });
    await share(page).click();
    await page
      .getByRole('alert')
      .getByText('Nobody in the organization has the address nobody@sharing.example')
      .waitFor();
    expect(await chosen(page).allInnerTexts()).toEqual([
      expect.stringContaining('nobody@sharing.example'),
    ]);
    expect(await sharesOf(assistantId)).toContain(`${graceId} VIEW`);
    await expectAccessibleInBoth(page);
  });
});
