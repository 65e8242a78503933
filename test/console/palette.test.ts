import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

describeInBrowser('the palette', () => {
  let site: TestConsole;
  let partner: TestPartner;
  let member: TestPerson;
  beforeAll(async () => {
    site = await openConsole();
    partner = await partnerIn(site.app);
    const { key } = await partner.userKey(partner.administratorId);
    const graph = (query: string, variables?: Record<string, unknown>) =>
      site.app.graph(key, query, variables);
    const assistantId = await assistantOf({ graph }, { name: 'Müller Reisebüro' });
    await site.app.database.prisma.conversation.create({
      data: {
        ...{ id: 'a-conversation', organizationId: partner.id, assistantId },
        ...{ userId: partner.administratorId, title: 'Müllers Bahnfahrt' },
        ...{ createdAt: new Date(), updatedAt: new Date() },
      },
    });
    await partner.campaign({ name: 'Muller spring' });
    await partner.member('anna.mueller@palette.example', { firstName: 'Anna', lastName: 'Müller' });
    await partner.manage('POST', '/teams', { name: 'Mullers team' });
    member = await personIn(site.app, partner);
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  async function open(path = '/', { as = partner.administratorId, width = 1280 } = {}) {
    const page = await site.page({ as, reusesSession: true, width });
    await page.goto(`${site.origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const field = (page: Page) => page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox');
  const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
  const option = (page: Page, name: string) => page.getByRole('option', { name });
  const active = (page: Page) => page.locator('[role=option][aria-selected=true]').textContent();

  it('Ctrl+K opens it from every page and closes it again, and the focus returns', async () => {
    const page = await open('/settings/keys');
    const menu = page.getByRole('button', { name: /account menu$/ });
    await menu.focus();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+k');
    await field(page).waitFor({ state: 'detached' });
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
  });

  it.each([320, 1280])(
    'Objects of the organization are found by a part of their name, with or without accents (%i px)',
    async (width) => {
      const page = await open('/', { width });
      await page.getByRole('button', { name: /^Go to…/ }).click();
      await expectAccessibleInBoth(page);
      await field(page).fill('muller');
      await group(page, 'Assistants').getByRole('option', { name: 'Müller Reisebüro' }).waitFor();
      await group(page, 'Conversations').getByRole('option', { name: 'Müllers Bahn' }).waitFor();
      await group(page, 'Campaigns').getByRole('option', { name: 'Muller spring' }).waitFor();
      await group(page, 'People').getByRole('option', { name: 'Anna Müller' }).waitFor();
      await group(page, 'Teams').getByRole('option', { name: 'Mullers team' }).waitFor();
      await expectAccessibleInBoth(page);
      await option(page, 'Muller spring').click();
      await page.getByRole('heading', { level: 1, name: 'Muller spring' }).waitFor();
    },
  );

  it('The arrow keys move through all groups and around their ends, and Enter opens the entry', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await field(page).fill('müller');
    await option(page, 'Anna Müller').waitFor();
    const names = await page.getByRole('option').allTextContents();
    for (const name of names) {
      expect(await active(page)).toBe(name);
      const id = await field(page).getAttribute('aria-activedescendant');
      expect(await page.locator(`[id="${id}"]`).textContent()).toBe(name);
      await page.keyboard.press('ArrowDown');
    }
    expect(await active(page)).toBe(names[0]);
    await page.keyboard.press('ArrowUp');
    expect(await active(page)).toBe(names.at(-1));
    // Without waiting for the answer: of the previous one only what still matches can be chosen.
    await field(page).fill('Anna');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/settings\/members\?search=anna/);
    await page.getByText('anna.mueller@palette.example').first().waitFor();
  });

  it('Every page of the settings that the person may use is found, and leads there', async () => {
    const page = await open('/settings');
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    const pages = await tabs.evaluateAll((links) =>
      links.map((link) => ({
        label: link.textContent,
        path: new URL(link.getAttribute('href') ?? '', location.origin).pathname,
      })),
    );
    expect(pages.length).toBeGreaterThan(5);
    for (const { label, path } of pages) {
      await page.keyboard.press('Control+k');
      await field(page).fill(`settings ${label}`);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname.replace(/\/$/, '') === path.replace(/\/$/, ''));
      await field(page).waitFor({ state: 'detached' });
    }
  });

  it('What the text no longer finds leaves the list, and as many entries are announced as are shown', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await option(page, 'Profile').waitFor();
    const announced = page.getByRole('dialog', { name: 'Go to' }).getByRole('status');
    await field(page).pressSequentially('webh');
    await expect.poll(() => announced.textContent()).toBe('1 entry');
    expect(await page.getByRole('option').allTextContents()).toEqual(['Webhooks Settings']);
    const ids = async () =>
      page.getByRole('option').evaluateAll((options) => options.map(({ id }) => id));
    await field(page).fill('');
    await option(page, 'Profile').waitFor();
    expect(new Set(await ids()).size).toBe((await ids()).length);
    await page.context().close();
  });

  it('Pages that were seen are offered first, without the open one, until the person signs out', async () => {
    const page = await open('/assistants');
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.keyboard.press('Control+k');
    await group(page, 'Recent').getByRole('option', { name: 'Developers' }).waitFor();
    expect(await group(page, 'Recent').getByRole('option').allTextContents()).toEqual([
      'Developers ',
      'Assistants ',
    ]);
    expect(await active(page)).toBe('Developers ');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/developers$/);
  });

  it('A person who signs in after the session of another one has ended is not offered the pages of that one', async () => {
    const page = await open('/settings/teams');
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
    const next = await open('/', { as: member.id });
    const cookies = await next.context().cookies();
    await page.context().clearCookies();
    await page.context().addCookies(cookies);
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.getByRole('option').first().waitFor();
    expect(await group(page, 'Recent').getByRole('option').allTextContents()).toEqual([]);
  });

  it('Actions are executed: the theme changes, and a new assistant is begun', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await field(page).fill('dark theme');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset['theme']))
      .toBe('dark');
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Light theme' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await field(page).fill('new assi');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New assistant' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('graphql and curl');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').filter({ hasText: 'GraphQL' }).waitFor();
  });

  it('A member finds neither people nor pages of administrators, and a text that nothing has finds nothing', async () => {
    const page = await open('/', { as: member.id });
    await page.keyboard.press('Control+k');
    await option(page, 'My keys').waitFor();
    expect(await option(page, 'Members').count()).toBe(0);
    expect(await option(page, 'Sponsorship').count()).toBe(0);
    await field(page).fill('anna');
    await page.getByText('Nothing was found.').waitFor();
    await field(page).fill('%%');
    await page.getByText('Nothing was found.').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('In German it finds pages by their German names', async () => {
    const page = await site.page({
      ...{ as: partner.administratorId, reusesSession: true, width: 320, locale: 'de-DE' },
    });
    await page.goto(site.origin);
    await page.getByRole('button', { name: /^Gehe zu …/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Gehe zu' });
    await dialog.getByRole('combobox').fill('meine schlussel');
    await expect.poll(() => active(page)).toContain('Meine Schlüssel');
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/settings\/keys$/);
  });

  it('It does not open above a dialog', async () => {
    const page = await open('/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+k');
    expect(await field(page).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});
