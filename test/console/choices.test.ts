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
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { redeemMany } from '../support/redeem-many.ts';

describeInBrowser('choices among many', () => {
  let site: TestConsole;
  let provider: ModelProvider;
  let organization: TestOrganization;
  let ada: TestPerson;
  const viewports = [
    { width: 1280, height: 900 },
    { width: 320, height: 640 },
  ];

  beforeAll(async () => {
    provider = await modelProvider(
      () => ({ text: 'Hello.' }),
      (response) =>
        response.end(
          JSON.stringify({
            object: 'list',
            data: [
              {
                id: 'large',
                context_length: 128_000,
                supported_parameters: ['tools', 'structured_outputs'],
                architecture: { input_modalities: ['text', 'image'] },
              },
              ...Array.from({ length: 200 }, (_, nth) => ({ id: `small-${nth}` })),
            ],
          }),
        ),
    );
    site = await openConsole({ MODEL_BASE_URL: provider.baseUrl, MODEL_DEFAULT: 'large' });
    organization = await site.app.organization();
    ada = await personIn(site.app, organization);
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    await provider.close();
  });

  async function open(path: string, as: string, viewport: object = {}): Promise<Page> {
    const page = await site.page({ as, reusesSession: true, ...viewport });
    await page.goto(site.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  it('The model of an assistant is chosen among those of the provider, with what each can do, by typing', async () => {
    for (const [nth, viewport] of viewports.entries()) {
      const page = await open('/assistants/new', ada.id, viewport);
      await page.getByRole('textbox', { name: 'Name' }).fill(`Chosen ${nth}`);
      const model = page.getByRole('combobox', { name: 'Model' });
      await expect.poll(() => model.inputValue()).toBe('Default (large)');
      await page.getByText('128,000 tokens of context, tools, images, structured output').waitFor();
      await model.fill('small-17');
      await page
        .getByRole('option', { name: /^small-17/ })
        .first()
        .waitFor();
      await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(11);
      await expectAccessibleInBoth(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => model.inputValue()).toBe('small-170');
      await page.getByText('Its provider does not say what it can do.').waitFor();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { level: 1, name: `Chosen ${nth}` }).waitFor();
      expect(
        await site.app.database.prisma.assistant.findFirstOrThrow({
          where: { name: `Chosen ${nth}` },
        }),
      ).toMatchObject({ model: 'small-170' });
    }
  });

  it('A model that has disappeared is shown as such, and the assistant can still be changed', async () => {
    const id = await assistantOf(ada, { name: 'Left behind', model: 'small-1' });
    await site.app.database.prisma.assistant.update({ where: { id }, data: { model: 'gone' } });
    const page = await open(`/assistants/${id}/settings`, ada.id);
    const model = page.getByRole('combobox', { name: 'Model' });
    await page.getByText('The provider no longer has this model.').waitFor();
    expect(await model.inputValue()).toBe('gone');
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    await model.click();
    await page.getByRole('option', { name: /^large/ }).click();
    await expect.poll(() => page.getByText('The provider no longer').count()).toBe(0);
    // A choice without typing is a change as well, which the page asks about before it is left.
    const questions: string[] = [];
    page.once('dialog', async (dialog) => {
      questions.push(dialog.message());
      await dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => questions).toEqual([expect.stringContaining('not saved')]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    expect(
      await site.app.database.prisma.assistant.findUniqueOrThrow({ where: { id } }),
    ).toMatchObject({ name: 'Renamed', model: 'large' });
  });

  it('A campaign, and the person of a budget, are found by typing among more than a hundred', async () => {
    const { prisma } = site.app.database;
    const numbers = Array.from({ length: 120 }, (_, nth) => String(nth).padStart(3, '0'));
    for (const nth of numbers) await organization.member(`colleague${nth}@many.example`);
    await prisma.campaign.createMany({
      data: numbers.map((nth) => ({
        ...{ id: `campaign-${nth}`, organizationId: organization.id, name: `Offer ${nth}` },
        durationMonths: 3,
      })),
    });
    // A list of nothing has no filters.
    const { body } = await organization.call(
      'POST',
      '/api/sponsorship/v1/campaigns/campaign-000/links',
      {},
    );
    await redeemMany(site.app, Object(body['link']).id, ['A workspace']);
    for (const viewport of viewports) {
      const page = await open('/sponsorship/redemptions', organization.administratorId, viewport);
      await chooseByTyping(page, 'Campaign', { text: 'Offer 119' });
      await expect
        .poll(() => new URL(page.url()).searchParams.get('campaign'))
        .toBe('campaign-119');
      await page.goto(`${site.origin}/settings/usage`);
      await page.getByRole('button', { name: 'New budget' }).click();
      await page.getByLabel('For', { exact: true }).selectOption('Person');
      const person = page.getByRole('combobox', { name: 'Person' });
      await person.fill('colleague119');
      await page.getByRole('option', { name: /colleague119@/ }).waitFor();
      await expectAccessibleInBoth(page);
      await page.keyboard.press('Enter');
      await expect.poll(() => person.inputValue()).toMatch(/colleague119@/);
      await page.getByLabel('Limit').fill('5');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('row').filter({ hasText: 'colleague119@' }).first().waitFor();
    }
  });
});
