import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('the introduction of an assistant', () => {
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

  it.each([320, 1280])(
    'Description, colour and starter questions of the settings are shown in lists, on the start page and in a new chat (%i px)',
    async (width) => {
      const page = await site.page({ as: organization.administratorId, width });
      const name = `Travel desk ${width}`;
      const description = `Answers questions about journeys, ${width}.`;
      const first = 'How do I book a train?';
      const second = 'Who signs my travel expenses?';
      await page.goto(`${site.origin}/assistants/new`);
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('textbox', { name: 'Description' }).fill(description);
      await page
        .getByRole('textbox', { name: 'Starter questions' })
        .fill(`${first}\n\n  ${second} `);
      await page.getByLabel('Colour').selectOption('Teal');
      await expectAccessibleInBoth(page);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByText(description).waitFor();
      const offered = page.getByRole('list', { name: `Questions for ${name}` });
      await expect
        .poll(() => offered.getByRole('button').allTextContents())
        .toEqual([first, second]);
      expect(await page.locator('.avatar-teal.avatar-large').textContent()).toBe(
        `T${width}`.slice(0, 2),
      );
      await expectAccessibleInBoth(page);

      await page.goto(`${site.origin}/assistants`);
      await page
        .getByRole('listitem')
        .filter({ hasText: description })
        .getByRole('link', { name })
        .waitFor();
      await expectAccessibleInBoth(page);

      await page.goto(`${site.origin}/assistants`);
      await page.getByRole('link', { name }).click();
      await offered.getByRole('button', { name: second }).click();
      await page.getByRole('listitem').filter({ hasText: second }).first().waitFor();
      await offered.waitFor({ state: 'detached' });
      // The start page offers the questions of the assistant of the newest conversation.
      await page.waitForURL(/\/c\/[^/]+$/);

      await page.goto(site.origin);
      await page.getByText(description).waitFor();
      await offered.getByRole('button', { name: first }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByRole('listitem').filter({ hasText: first }).first().waitFor();
    },
  );

  it('Saving other settings keeps the introduction, and empty fields remove it', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/assistants/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Kitchen');
    await page.getByRole('textbox', { name: 'Description' }).fill('Knows every recipe.');
    await page.getByRole('textbox', { name: 'Starter questions' }).fill('What is for lunch?');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Knows every recipe.').waitFor();
    await page.getByRole('link', { name: 'Settings' }).last().click();
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Be brief.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.reload();
    const questions = page.getByRole('textbox', { name: 'Starter questions' });
    expect(await questions.inputValue()).toBe('What is for lunch?');
    await questions.fill('');
    await page.getByRole('textbox', { name: 'Description' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.goto(`${site.origin}/assistants`);
    await page.getByRole('link', { name: 'Kitchen' }).click();
    await page.getByText('It answers from its files and cites its sources.').waitFor();
    expect(await page.getByRole('list', { name: 'Questions for Kitchen' }).count()).toBe(0);
  });
});
