import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('favourite assistants', () => {
  let site: TestConsole;
  let organization: TestOrganization;
  beforeAll(async () => {
    site = await openConsole();
    organization = await site.app.organization();
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  /** A person with three assistants, of which the first one was created first. */
  async function personWithAssistants(): Promise<{ person: TestPerson; ids: string[] }> {
    const person = await personIn(site.app, organization);
    const ids: string[] = [];
    for (const name of ['Travel', 'Handbook', 'Payroll'])
      ids.push(await assistantOf(person, { name }));
    return { person, ids };
  }
  async function open(person: TestPerson, path: string, width: number): Promise<Page> {
    const page = await site.page({ as: person.id, reusesSession: true, width });
    await page.goto(`${site.origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const star = (page: Page, name: string) =>
    page.getByRole('button', { name: `Favourite: ${name}`, exact: true });
  const isPressed = (page: Page, name: string) => star(page, name).getAttribute('aria-pressed');
  const cards = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 });
  const favoritesOf = ({ id }: TestPerson) =>
    site.app.database.prisma.assistantFavorite.count({ where: { userId: id } });

  it.each([390, 1280])(
    'The star of an assistant in the list makes it a favourite, and the filter shows only favourites (%i px)',
    async (width) => {
      const { person } = await personWithAssistants();
      const page = await open(person, '/assistants', width);
      await star(page, 'Travel').focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => favoritesOf(person)).toBe(1);
      await expect.poll(() => isPressed(page, 'Travel')).toBe('true');
      expect(await isPressed(page, 'Payroll')).toBe('false');
      // The star is above the link that covers the card.
      await star(page, 'Handbook').click();
      await expect.poll(() => isPressed(page, 'Handbook')).toBe('true');
      expect(new URL(page.url()).pathname).toBe('/assistants');
      await expectAccessibleInBoth(page);
      await page.getByLabel('Show', { exact: true }).selectOption('Favourites');
      await expect.poll(() => cards(page).allInnerTexts()).toEqual(['Handbook', 'Travel']);
      await star(page, 'Handbook').click();
      await expect.poll(() => cards(page).allInnerTexts()).toEqual(['Travel']);
      // The focus stays in the list, although the button is gone.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toContain('Travel');
      await star(page, 'Travel').click();
      await page.getByText('Press the star of an assistant').waitFor();
      expect(await favoritesOf(person)).toBe(0);
    },
  );

  it('The reason is told where an assistant cannot be marked, and the star stays as it was', async () => {
    const { person, ids } = await personWithAssistants();
    const page = await open(person, '/assistants', 1280);
    await star(page, 'Travel').waitFor();
    await person.graph(
      `mutation { deleteAssistant(input: { assistantId: "${ids[0]}" }) { deletedAssistantId } }`,
    );
    await star(page, 'Travel').click();
    await page.getByRole('alert').getByText('Assistant not found').waitFor();
    expect(await isPressed(page, 'Travel')).toBe('false');
    await expectAccessibleInBoth(page);
  });

  it.each([390, 1280])(
    'A favourite comes first on the start page and in the palette, and its pages show the star (%i px)',
    async (width) => {
      const { person, ids } = await personWithAssistants();
      const [travel = ''] = ids;
      const page = await open(person, `/assistants/${travel}`, width);
      expect(await isPressed(page, 'Travel')).toBe('false');
      await star(page, 'Travel').click();
      await expect.poll(() => isPressed(page, 'Travel')).toBe('true');
      await expectAccessibleInBoth(page);
      await page.goto(`${site.origin}/assistants/${travel}/files`);
      await expect.poll(() => isPressed(page, 'Travel')).toBe('true');

      await page.goto(`${site.origin}/`);
      const picker = page.getByRole('combobox', { name: 'Assistant', exact: true });
      await expect.poll(() => picker.inputValue()).toBe('Travel');
      await picker.click();
      const options = page.getByRole('listbox', { name: 'Assistant' }).getByRole('option');
      expect(await options.allInnerTexts()).toEqual([
        expect.stringMatching(/^Travel\s+favourite$/),
        'Payroll',
        'Handbook',
      ]);
      await expectAccessibleInBoth(page);
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: /^Go to…/ }).click();
      const group = (name: string) => page.getByRole('group', { name, exact: true });
      await group('Favourites').getByRole('option', { name: 'Travel' }).waitFor();
      const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox');
      await field.fill('pay');
      await group('Assistants').getByRole('option', { name: 'Payroll' }).waitFor();
      expect(await group('Favourites').count()).toBe(0);
      await field.fill('travel');
      await group('Favourites').getByRole('option', { name: 'Travel' }).waitFor();
      await expect.poll(() => page.getByRole('option', { name: 'Travel' }).count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/assistants/${travel}`);
    },
  );
});
