import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessible,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

describeInBrowser('the layout of the console', () => {
  let site: TestConsole;
  let partner: TestPartner;
  let newcomer: TestPartner;

  beforeAll(async () => {
    site = await openConsole();
    partner = await partnerIn(site.app);
    newcomer = await partnerIn(site.app);
    const campaign = await partner.campaign({ name: 'Start-up programme' });
    await partner.redeem(await partner.link(campaign.id), { organizationName: 'Guest Ltd' });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  async function open(
    path: string,
    options: { as?: string; width?: number; height?: number; locale?: string } = {},
  ): Promise<Page> {
    const page = await site.page({ as: partner.administratorId, reusesSession: true, ...options });
    await page.goto(site.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    return page;
  }
  async function boxOf(element: Locator) {
    const box = await element.boundingBox();
    if (!box) throw new Error('The element is not shown');
    return { ...box, right: box.x + box.width, bottom: box.y + box.height };
  }

  it('Every page of the settings is in reach without scrolling, and the current one is marked', async () => {
    const { id: teamId } = await site.app.database.prisma.team.findFirstOrThrow({
      where: { organizationId: partner.id },
    });
    for (const locale of ['en-GB', 'de-DE'])
      for (const width of [768, 1280]) {
        const page = await open(`/settings/teams/${teamId}`, { width, height: 800, locale });
        const pages = page.getByRole('navigation', { name: /^(Settings|Einstellungen)$/ });
        const links = await pages.getByRole('link').all();
        expect(links.length).toBeGreaterThan(8);
        for (const link of links) {
          const box = await boxOf(link);
          expect(box.bottom).toBeLessThan(800);
          expect(box.right).toBeLessThanOrEqual((await boxOf(page.getByRole('main'))).x);
        }
        expect(await pages.locator('[aria-current="page"]').allTextContents()).toEqual(['Teams']);
        await page.context().close();
      }
    const phone = await open('/settings/members', { width: 360, height: 740 });
    const tabs = phone.getByRole('main').getByRole('navigation', { name: 'Settings' });
    expect(await tabs.locator('[aria-current="page"]').allTextContents()).toEqual(['Members']);
    await phone.goto(`${site.origin}/settings/teams/${teamId}`);
    await phone.getByRole('heading', { level: 1 }).waitFor();
    expect(await tabs.locator('[aria-current="page"]').allTextContents()).toEqual(['Teams']);
  });

  it('A long label wraps beside its checkbox', async () => {
    const page = await open('/settings', { width: 360, height: 740, locale: 'de-DE' });
    const group = page.getByRole('group', { name: 'Arten von Mitteilungen' });
    for (const choice of await group.locator('.field').all()) {
      const [box, label] = [
        await boxOf(choice.locator('input')),
        await boxOf(choice.locator('label')),
      ];
      expect(label.x).toBeGreaterThan(box.right);
      expect(Math.abs(label.y - box.y)).toBeLessThan(8);
    }
  });

  it('Fields side by side have their inputs in one line, also when a label is longer', async () => {
    const page = await open('/sponsorship/campaigns?new=1');
    const form = page.getByRole('form', { name: 'New campaign' });
    const tops = await Promise.all(
      ['Duration', 'Seats per workspace', 'Maximum redemptions'].map(async (name) =>
        boxOf(form.getByLabel(name)).then(({ y }) => y),
      ),
    );
    expect(new Set(tops).size).toBe(1);
  });

  it('On a phone every line of a value in a table ends at its right edge', async () => {
    for (const path of ['/sponsorship/statements', '/sponsorship/redemptions', '/settings/teams']) {
      const page = await open(path, { width: 360, height: 740, locale: 'de-DE' });
      const distances = await page.locator('.table-cards td[data-title]').evaluateAll((cells) =>
        cells.flatMap((cell) => {
          const rightOfLine = new Map<number, number>();
          const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
          while (texts.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(texts.currentNode);
            for (const { top, bottom, right } of range.getClientRects()) {
              const line = Math.round((top + bottom) / 2 / 10);
              rightOfLine.set(line, Math.max(right, rightOfLine.get(line) ?? 0));
            }
          }
          const { right } = cell.getBoundingClientRect();
          return [...rightOfLine.values()].map((rightOfText) => right - rightOfText);
        }),
      );
      expect(distances.length).toBeGreaterThan(0);
      // The text of a badge has a margin.
      for (const distance of distances) expect(distance).toBeLessThan(12);
      await page.context().close();
    }
  });

  it('The field of the palette stays in its place while its list becomes shorter', async () => {
    const page = await open('/');
    await page.keyboard.press('Control+K');
    const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox');
    const before = await boxOf(field);
    await field.fill('members');
    await expect.poll(() => page.getByRole('option').count()).toBeLessThan(3);
    expect((await boxOf(field)).y).toBe(before.y);
  });

  it('The actions of a page stay beside a long title', async () => {
    const name = 'A campaign for everybody who opened our letter in the first half of the year';
    const { id } = await partner.campaign({ name });
    const page = await open(`/sponsorship/campaigns/${id}`);
    const title = await boxOf(page.getByRole('heading', { level: 1, name }));
    const edit = await boxOf(page.getByRole('button', { name: 'Edit', exact: true }));
    expect(title.height).toBeGreaterThan(edit.height);
    expect(edit.x).toBeGreaterThanOrEqual(title.right);
    expect(edit.bottom).toBeLessThan(title.bottom);
  });

  it('On a phone the actions of a page follow its sentence', async () => {
    const page = await open('/settings/teams', { width: 390, height: 844 });
    const title = await boxOf(page.getByRole('heading', { level: 1 }));
    const sentence = await boxOf(page.getByText('Assistants can be shared with a team.'));
    const action = await boxOf(page.getByRole('button', { name: 'Create team' }));
    expect(sentence.y).toBeGreaterThanOrEqual(title.bottom);
    expect(action.y).toBeGreaterThanOrEqual(sentence.bottom);
    expect(action.right).toBeLessThan(390);
  });

  it('A very long name of what a page belongs to does not make the page wider', async () => {
    const campaign = await partner.campaign({ name: 'ß'.repeat(120) });
    const { id } = await partner.link(campaign.id);
    const page = await open(`/sponsorship/links/${id}`, { width: 320, height: 740 });
    await expectAccessible(page);
  });

  it('One member with a very long name does not make cards of all rows', async () => {
    const { id } = await partner.member(`long@${partner.slug}.example`);
    await site.app.database.prisma.user.update({
      where: { id },
      data: { firstName: 'W'.repeat(100), lastName: 'ß'.repeat(90) },
    });
    const page = await open('/settings/members', { width: 1440 });
    await page.getByText('W'.repeat(100)).first().waitFor();
    await page.getByRole('columnheader', { name: 'Teams' }).waitFor();
    await expectAccessible(page);
  });

  it('A title on a phone is broken between its words', async () => {
    for (const path of ['/sponsorship/redemptions', '/settings/organization-keys']) {
      const page = await open(path, { width: 390, height: 740 });
      const linesOfWords = await page.getByRole('heading', { level: 1 }).evaluate((heading) =>
        [...(heading.textContent ?? '').matchAll(/\S+/g)].map(({ 0: word, index }) => {
          const range = document.createRange();
          const [text] = heading.childNodes;
          if (!text) return 0;
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length;
        }),
      );
      expect(new Set(linesOfWords)).toEqual(new Set([1]));
      await page.context().close();
    }
  });

  it.each([
    ['/sponsorship/campaigns', 'No campaigns yet'],
    ['/sponsorship/redemptions', 'No redemptions yet'],
    ['/vault/documents', 'No files yet'],
  ])('An empty list has no search and no filters: %s', async (path, empty) => {
    const page = await open(path, { as: newcomer.administratorId });
    await page.getByText(empty).first().waitFor();
    expect(await page.getByRole('main').getByRole('search').count()).toBe(0);
    await page.goto(`${site.origin}${path}?search=nothing`);
    await page.getByRole('main').getByRole('searchbox').waitFor();
  });

  it('A chart without data offers no table of zeros', async () => {
    const page = await open('/settings/usage');
    await page.getByText('No data yet.').waitFor();
    expect(await page.getByRole('button', { name: /^Show as table/ }).count()).toBe(0);
  });
});
