import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn, share, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('the choice of the assistant in a chat', () => {
  let site: TestConsole;
  let ada: TestPerson;
  let handbook: string;
  let travel: string;

  beforeAll(async () => {
    site = await openConsole();
    const organization = await site.app.organization();
    const creator = await personIn(site.app, organization);
    ada = await personIn(site.app, organization);
    handbook = await assistantOf(ada, { name: 'Handbook' });
    travel = await assistantOf(ada, { name: 'Travel' });
    const zebra = await assistantOf(ada, { name: 'Zebra' });
    await ada.graph(
      `mutation { setAssistantFavorite(input: { assistantId: "${zebra}", isFavorite: true }) { assistant { id } } }`,
    );
    // The last of a thousand by name, of which no page of the list has more than a hundred.
    await share(creator, await assistantOf(creator, { name: 'Library 999' }), 'VIEW');
    const { prisma } = site.app.database;
    const ids = Array.from({ length: 996 }, (_, index) => `library-${index}`);
    await prisma.assistant.createMany({
      data: ids.map((id, index) => ({
        ...{ id, organizationId: organization.id },
        name: `Library ${String(index).padStart(3, '0')}`,
      })),
    });
    await prisma.assistantShare.createMany({
      data: ids.map((id) => ({
        ...{ id: `share-${id}`, organizationId: organization.id, assistantId: id, level: 'VIEW' },
      })),
    });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  const phone = { width: 390, height: 844, touch: true };
  const desktop = { width: 1280, height: 900 };
  const picker = (page: Page, label = 'Assistant') =>
    page.getByRole('combobox', { name: label, exact: true });
  const options = (page: Page, label = 'Assistant') =>
    page.getByRole('listbox', { name: label, exact: true }).getByRole('option');
  const question = (page: Page, label = 'Your question') =>
    page.getByRole('textbox', { name: label, exact: true });

  async function openChat(options: Parameters<TestConsole['page']>[0] = {}): Promise<Page> {
    const page = await site.page({ as: ada.id, reusesSession: true, ...options });
    await page.goto(`${site.origin}/assistants/${handbook}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const isIn = (page: Page, assistantId: string) => page.waitForURL(`**/assistants/${assistantId}`);

  it.each([
    { screen: 'desktop', ...desktop },
    { screen: 'phone', ...phone },
  ])(
    'Another assistant is chosen at the head of the chat, and the draft goes along ($screen)',
    async ({ screen: _, ...viewport }) => {
      const page = await openChat(viewport);
      await expect.poll(() => picker(page).inputValue()).toBe('Handbook');
      await question(page).fill('How many days?');
      await page.getByLabel('Files to attach').setInputFiles({
        ...{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Plan') },
      });
      await page.getByRole('list', { name: 'Attached files' }).getByText('plan.txt (').waitFor();
      await (viewport.width < 500 ? picker(page).tap() : picker(page).click());
      // The favourite is first, then the others follow by name.
      await expect
        .poll(() => options(page).allInnerTexts())
        .toEqual([
          expect.stringMatching(/^Zebra\s+favourite$/),
          'Handbook',
          ...Array.from({ length: 48 }, () => expect.stringMatching(/^Library 0\d\d$/)),
        ]);
      await expectAccessibleInBoth(page);
      await picker(page).fill('travel');
      const found = options(page).getByText('Travel');
      await (viewport.width < 500 ? found.tap() : found.click());
      await isIn(page, travel);
      await page.getByRole('heading', { level: 1, name: 'Travel', exact: true }).waitFor();
      expect(await picker(page).inputValue()).toBe('Travel');
      expect(await question(page).inputValue()).toBe('How many days?');
      await page.getByRole('list', { name: 'Attached files' }).getByText('plan.txt (').waitFor();
      await expectAccessibleInBoth(page);
      // The draft is in one chat, not in both.
      await page.goBack();
      await isIn(page, handbook);
      await page.getByRole('heading', { level: 1, name: 'Handbook', exact: true }).waitFor();
      expect(await question(page).inputValue()).toBe('');
      await page.context().close();
    },
  );

  it('One of a thousand assistants is found by typing and chosen with the keyboard', async () => {
    const page = await openChat(desktop);
    await picker(page).focus();
    await page.keyboard.press('ArrowDown');
    await picker(page).fill('library 999');
    await options(page).getByText('Library 999').waitFor();
    expect(await options(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Library 999', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).not.toContain(handbook);
    await page.context().close();
  });

  it('Escape and the choice of the same assistant leave the chat as it was', async () => {
    const page = await openChat(desktop);
    await question(page).fill('How many weeks?');
    await picker(page).click();
    await picker(page).fill('travel');
    await page.keyboard.press('Escape');
    expect(await picker(page).inputValue()).toBe('Handbook');
    await picker(page).click();
    await picker(page).fill('handbook');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe(`/assistants/${handbook}`);
    expect(await question(page).inputValue()).toBe('How many weeks?');
    await page.context().close();
  });

  it('A draft that waits in the other chat is not lost', async () => {
    const page = await openChat(desktop);
    await page.goto(`${site.origin}/assistants/${travel}`);
    await question(page).fill('An earlier question');
    await page.goto(`${site.origin}/assistants/${handbook}`);
    await question(page).fill('A later question');
    await picker(page).click();
    await options(page).getByText('Handbook').waitFor();
    await picker(page).fill('travel');
    await options(page).getByText('Travel').waitFor();
    await page.keyboard.press('Enter');
    await isIn(page, travel);
    await expect
      .poll(() => question(page).inputValue())
      .toBe('An earlier question\n\nA later question');
    await page.context().close();
  });

  it('The choice speaks German', async () => {
    const page = await openChat({ ...phone, locale: 'de-DE' });
    await question(page, 'Ihre Frage').fill('Wie viele Tage?');
    await picker(page, 'Assistent').tap();
    await expect
      .poll(() => options(page, 'Assistent').first().innerText())
      .toMatch(/^Zebra\s+Favorit$/);
    await options(page, 'Assistent').first().tap();
    await page.getByRole('heading', { level: 1, name: 'Zebra', exact: true }).waitFor();
    expect(await question(page, 'Ihre Frage').inputValue()).toBe('Wie viele Tage?');
    await expectAccessibleInBoth(page);
    await page.context().close();
  });
});
