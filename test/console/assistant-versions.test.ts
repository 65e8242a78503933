import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  drawn,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('versions, copies and templates of assistants', () => {
  let site: TestConsole;
  let organization: TestOrganization;
  let ada: TestPerson;
  let emil: TestPerson;
  beforeAll(async () => {
    site = await openConsole();
    organization = await site.app.organization();
    ada = await personIn(site.app, organization);
    emil = await personIn(site.app, organization);
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  async function update({ graph }: TestPerson, id: string, input: string): Promise<void> {
    const { errors } = await graph(
      `mutation { updateAssistant(input: { assistantId: "${id}", ${input} }) { assistant { id } } }`,
    );
    expect(errors).toEqual([]);
  }
  const stored = (id: string) =>
    site.app.database.prisma.assistant.findUniqueOrThrow({ where: { id } });

  async function open(as: TestPerson, path: string, width?: number): Promise<Page> {
    const page = await site.page({ as: as.id, reusesSession: true, ...(width && { width }) });
    await page.goto(`${site.origin}/assistants${path}`);
    return page;
  }
  const field = (page: Page, name: string) => page.getByRole('textbox', { name });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it.each([320, 1280])(
    'A version is compared with others, word by word, and restored (%i px)',
    async (width) => {
      const id = await assistantOf(ada, { name: 'Desk', instructions: 'Answer in short words.' });
      await share(ada, id, 'EDIT', { userId: emil.id });
      await update(emil, id, 'instructions: "Answer in long words.", stepLimit: 7');
      await update(ada, id, 'name: "Travel desk"');
      const page = await open(ada, `/${id}/versions`, width);
      const row = (text: string) => page.getByRole('row').filter({ hasText: text });
      await row(emil.email).waitFor();
      expect(await row('Current').textContent()).toContain('3');
      await expectAccessibleInBoth(page);

      await button(page, 'Compare version 2').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('deletion').filter({ hasText: 'short' }).waitFor();
      await dialog.getByRole('insertion').filter({ hasText: 'long' }).waitFor();
      expect(await dialog.getByRole('deletion').allTextContents()).toEqual(['short', '5']);
      expect(await dialog.getByText('Travel desk').count()).toBe(0);
      await dialog.getByLabel('Compare with').selectOption('Version 3 (current)');
      await dialog.getByRole('insertion').filter({ hasText: 'Travel' }).waitFor();
      await expectAccessibleInBoth(page);
      await page.keyboard.press('Escape');

      await button(page, 'Restore version 1').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Version 1 was restored').waitFor();
      await row('Restored from version 1').getByText('Current').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Desk', exact: true }).waitFor();
      expect(await stored(id)).toMatchObject({
        ...{ name: 'Desk', instructions: 'Answer in short words.', stepLimit: 5, version: 4 },
      });
    },
  );

  it.each([320, 1280])(
    'Who saves settings that somebody changed meanwhile takes theirs or keeps their own (%i px)',
    async (width) => {
      const id = await assistantOf(ada, { name: 'Shared', instructions: 'Old.' });
      await share(ada, id, 'EDIT', { userId: emil.id });
      const page = await open(ada, `/${id}/settings`, width);
      const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' });
      await field(page, 'Instructions').fill('Mine.');
      await update(emil, id, 'instructions: "Theirs."');
      await button(page, 'Save').click();
      await dialog.getByText(`${emil.email} saved version 2`).waitFor();
      await dialog.getByRole('insertion').filter({ hasText: 'Mine' }).waitFor();
      await expectAccessibleInBoth(page);
      await button(page, 'Take theirs').click();
      await expect.poll(() => field(page, 'Instructions').inputValue()).toBe('Theirs.');
      expect(await stored(id)).toMatchObject({ instructions: 'Theirs.', version: 2 });

      await field(page, 'Instructions').fill('Mine again.');
      await update(emil, id, 'name: "Renamed"');
      await button(page, 'Save').click();
      await dialog.getByText('saved version 3').waitFor();
      await button(page, 'Keep mine').click();
      await page.getByText('Saved').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(await stored(id)).toMatchObject({
        ...{ name: 'Shared', instructions: 'Mine again.', version: 4 },
      });

      // The page knows the version that it has just saved.
      await field(page, 'Instructions').fill('Once more.');
      await button(page, 'Save').click();
      await expect.poll(async () => (await stored(id)).instructions).toBe('Once more.');
      expect(await dialog.count()).toBe(0);
    },
  );

  it('What a person is writing stays when the page reads the assistant again, and saving it is still refused', async () => {
    const id = await assistantOf(ada, { name: 'Busy', instructions: 'Old.' });
    await share(ada, id, 'EDIT', { userId: emil.id });
    const page = await open(ada, `/${id}/settings`);
    await field(page, 'Instructions').fill('Mine.');
    await update(emil, id, 'name: "Theirs"');
    await page.getByLabel(`Level for ${emil.email}`).selectOption('Can chat');
    await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
    expect(await field(page, 'Instructions').inputValue()).toBe('Mine.');
    await button(page, 'Save').click();
    await page.getByRole('dialog', { name: 'Somebody changed this meanwhile' }).waitFor();
  });

  it('An assistant is duplicated from its menu by keyboard', async () => {
    const id = await assistantOf(ada, { name: 'Original', instructions: 'Be brief.' });
    const page = await open(ada, `/${id}/settings`);
    await button(page, 'Actions for Original').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Duplicate with files' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Copy of Original' }).waitFor();
    await page.getByText('Copy of Original was created').waitFor();
    expect(await field(page, 'Instructions').inputValue()).toBe('Be brief.');
    await expectAccessibleInBoth(page);
  });

  it('A person who opens another page while an assistant is duplicated stays there, and learns that it is done', async () => {
    const id = await assistantOf(ada, { name: 'Slow' });
    const page = await open(ada, `/${id}/files`);
    const waiting = Promise.withResolvers<Route>();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('duplicateAssistant')
        ? waiting.resolve(route)
        : route.continue(),
    );
    await button(page, 'Actions for Slow').click();
    await button(page, 'Duplicate with files').click();
    const route = await waiting.promise;
    await page.getByRole('link', { name: 'Developers' }).click();
    const heading = page.getByRole('heading', { level: 1, name: 'Developers' });
    await heading.waitFor();
    await route.continue();
    await page.getByText('Copy of Slow was created').waitFor();
    await drawn(page);
    expect(await heading.isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/developers');
  });

  it('In German, versions, a conflict and templates are accessible, and a template is in German', async () => {
    const id = await assistantOf(ada, { name: 'Auskunft', instructions: 'Kurz.' });
    await update(ada, id, 'instructions: "Lang."');
    const page = await site.page({
      ...{ as: ada.id, reusesSession: true, width: 320, locale: 'de-DE' },
    });
    await page.goto(`${site.origin}/assistants/${id}/versions`);
    await button(page, 'Wiederherstellen Version 1').waitFor();
    await expectAccessibleInBoth(page);
    await button(page, 'Vergleichen Version 2').click();
    await page.getByRole('insertion').filter({ hasText: 'Lang' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.goto(`${site.origin}/assistants/${id}/settings`);
    await field(page, 'Anweisungen').fill('Meine.');
    await update(ada, id, 'name: "Anders"');
    await button(page, 'Speichern').click();
    await page.getByText('Version 3 gespeichert').waitFor();
    await expectAccessibleInBoth(page);
    await button(page, 'Andere übernehmen').click();
    await page.goto(`${site.origin}/assistants/new`);
    await page.getByRole('button', { name: 'Vertragsleser' }).click();
    expect(await field(page, 'Anweisungen').inputValue()).toContain('Klauseln in Verträgen');
    await expectAccessibleInBoth(page);
  });

  it('Who may only chat with an assistant sees neither its versions nor its menu', async () => {
    const id = await assistantOf(ada, { name: 'Closed' });
    await share(ada, id, 'VIEW', { userId: emil.id });
    const page = await open(emil, `/${id}/settings`);
    await page.getByText('Only its owner and editors can change it').waitFor();
    expect(await page.getByRole('link', { name: 'Versions' }).count()).toBe(0);
    expect(await button(page, 'Actions for Closed').count()).toBe(0);
    await page.goto(`${site.origin}/assistants/${id}/versions`);
    await page.getByText('You may not change this assistant').waitFor();
  });

  it.each([320, 1280])(
    'A template fills the form of a new assistant, and replaces entries only after a question (%i px)',
    async (width) => {
      const page = await open(ada, '/new', width);
      const template = (name: string) => page.getByRole('button', { name });
      await template('Contract reader').click();
      expect(await field(page, 'Name').inputValue()).toBe('Contract reader');
      expect(await field(page, 'Instructions').inputValue()).toContain('Quote the relevant');
      expect(await template('Contract reader').getAttribute('aria-pressed')).toBe('true');
      await expectAccessibleInBoth(page);
      await template('Customer support').click();
      expect(await field(page, 'Name').inputValue()).toBe('Customer support');
      const name = `Hotline ${width}`;
      await field(page, 'Name').fill(name);
      await template('Writing coach').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(await field(page, 'Name').inputValue()).toBe(name);
      await button(page, 'Create').click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const questions = page.getByRole('list', { name: `Questions for ${name}` });
      expect(await questions.getByRole('button').count()).toBe(3);
    },
  );
});
