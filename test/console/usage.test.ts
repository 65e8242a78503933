import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageDays } from '../../src/console/web/settings/usage/usage-rows.ts';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../support/assistants.ts';
import {
  chooseByTyping,
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { searchVaultStub } from '../support/search-vault-stub.ts';

it('A period of usage ends with today in UTC, and its range with tomorrow', () => {
  expect(usageDays(3, new Date('2026-03-01T23:59:00Z'))).toEqual({
    from: '2026-02-27',
    until: '2026-03-02',
    days: ['2026-02-27', '2026-02-28', '2026-03-01'],
  });
});

describeInBrowser('the usage page', () => {
  let site: TestConsole;
  let provider: ModelProvider;
  let vault: Awaited<ReturnType<typeof searchVaultStub>>;
  let organization: TestOrganization;
  let grace: TestPerson;
  let handbook: string;

  beforeAll(async () => {
    provider = await modelProvider(() => ({
      text: 'Hello.',
      usage: { prompt_tokens: 1_200, completion_tokens: 34 },
    }));
    provider.refuseTitles();
    vault = await searchVaultStub();
    site = await openConsole(
      {
        MODEL_BASE_URL: provider.baseUrl,
        MODEL_API_KEY: 'k',
        MODEL_DEFAULT: 'large',
        MODEL_PRICES: JSON.stringify({
          currency: 'EUR',
          models: { large: { input: '1000', output: '1000' } },
        }),
      },
      { vault: vault.client },
    );
    site.app.startProcessing({ processesFiles: false });
    organization = await site.app.organization();
    grace = await personIn(site.app, organization);
    handbook = await assistantOf(grace, { name: 'Handbook' });
    await share(grace, handbook, 'VIEW', { userId: organization.administratorId });
    const { status } = await grace.call('POST', `/api/assistants/v1/${handbook}/run`, {
      messages: [{ role: 'user', content: 'Hello?' }],
    });
    expect(status).toBe(200);
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    await vault.stop();
    await provider.close();
  });

  it('An administrator sees usage and cost by person, assistant, model and key, and saves them as CSV', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/settings/usage`);
    const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name });
    await row(grace.email).getByText('1,200').waitFor();
    await row(grace.email).getByText('€1.23').waitFor();
    await page.getByRole('img', { name: /^Tokens by day/ }).waitFor();
    await expectAccessibleInBoth(page);
    for (const [option, name] of [
      ['By assistant', 'Handbook'],
      ['By model', 'large'],
      ['By key', /^Key …/],
    ] as const) {
      await page.getByLabel('Show', { exact: true }).selectOption({ label: option });
      await row(name).getByText('1,200').waitFor();
    }
    await page.goto(`${site.origin}/settings/usage?group=ASSISTANT`);
    await row('Handbook').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const lines = readFileSync(await (await downloading).path(), 'utf8').split('\r\n');
    expect(lines[0]).toBe(
      'From,Until,Assistant,Id,Answers,Tokens read,Tokens written,Cost,Currency',
    );
    expect(lines[1]).toContain(`Handbook,${handbook},1,1200,34,1.234,EUR`);
  });

  it('A budget is created, changed and deleted, shows what is used, and refuses answers in the chat', async () => {
    const page = await site.page({ as: organization.administratorId });
    await page.goto(`${site.origin}/settings/usage`);
    await page.getByText('No budgets').waitFor();
    await page.getByRole('button', { name: 'New budget' }).click();
    await page.getByLabel('For', { exact: true }).selectOption('Assistant');
    await chooseByTyping(page, 'Assistant', { text: 'Hand', option: 'Handbook' });
    await page.getByLabel('Limit').fill('1');
    await page.getByLabel('Unit', { exact: true }).selectOption('Answers');
    await page.getByLabel('When it is used up').selectOption({ index: 1 });
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Assistant: Handbook' });
    await row.getByText('0 of 1 answers a month').waitFor();
    await row.getByText('Refuses').waitFor();

    const chat = await site.page({ as: organization.administratorId });
    await chat.goto(`${site.origin}/assistants/${handbook}`);
    const input = chat.getByRole('textbox', { name: 'Your question' });
    await input.fill('First?');
    await chat.keyboard.press('Enter');
    await chat.getByRole('button', { name: 'Retry' }).waitFor();
    await input.fill('Second?');
    await chat.keyboard.press('Enter');
    await chat
      .getByRole('alert')
      .getByText(/budget/i)
      .waitFor();
    await expectAccessibleInBoth(chat);

    await page.reload();
    await row.getByText('1 of 1 answers a month').waitFor();
    await expectAccessibleInBoth(page);
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Limit').fill('5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('1 of 5 answers a month').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No budgets').waitFor();
  });

  it('On a German page the days of the chart are German', async () => {
    const page = await site.page({ as: organization.administratorId, locale: 'de-DE' });
    await page.goto(`${site.origin}/settings/usage`);
    await page.getByRole('button', { name: 'Als Tabelle zeigen: Token nach Tag' }).click();
    const today = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: 'UTC' });
    const rows = page.getByRole('table', { name: 'Token nach Tag' }).getByRole('row');
    expect(await rows.last().innerText()).toContain(today.format(new Date()));
  });

  it('The page fits on a phone, and other members do not have it', async () => {
    const page = await site.page({ as: organization.administratorId, width: 360, height: 740 });
    await page.goto(`${site.origin}/settings/usage`);
    await page.getByRole('row').filter({ hasText: grace.email }).waitFor();
    await expectAccessibleInBoth(page);
    const member = await site.page({ as: grace.id });
    await member.goto(`${site.origin}/settings/usage`);
    await member.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  });
});
