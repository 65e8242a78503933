import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setPlatformSupport } from '../../src/modules/accounts/set-platform-support.ts';
import { assistantOf, personIn, share } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { createProcessedFile } from '../support/search-vault-stub.ts';
import { giveSecondFactor } from '../support/second-factor.ts';
import { startVaultServers, type VaultServers } from '../support/vault-servers.ts';

describeInBrowser('the vault pages', () => {
  let vault: VaultServers;
  let site: TestConsole;
  let ada: string;
  let member: string;
  let assistantId: string;

  beforeAll(async () => {
    vault = await startVaultServers();
    site = await openConsole({}, { vault: vault.client });
    const organization = await site.app.organization();
    ada = organization.administratorId;
    const colleague = await personIn(site.app, organization);
    member = colleague.id;
    assistantId = await assistantOf(colleague, { name: 'Handbook' });
    await share(colleague, assistantId, 'VIEW', { userId: ada });
    const texts = [
      'Travel expenses are paid back within two weeks. Keep every receipt.',
      'Travel expenses are paid back within two weeks. Keep every receipt!',
      'Employees have thirty days of vacation in a year. Days of travel count as days of work.',
    ];
    for (const [index, text] of texts.entries()) {
      const id = await createProcessedFile(
        site.app,
        organization,
        assistantId,
        `rules-${index + 1}.txt`,
      );
      expect((await vault.put(assistantId, id, text)).status).toBe(200);
    }
    await createProcessedFile(site.app, organization, assistantId, 'lost.pdf');
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    await vault.close();
  });

  it('The state page shows the state and the checks, and no figure of the machine', async () => {
    const page = await site.page({ as: ada });
    await page.goto(`${site.origin}/vault`);
    await page.getByText('The vault indexes and searches files.').waitFor();
    await page.getByText('Healthy', { exact: true }).waitFor();
    await page.getByText('Vector database: available').waitFor();
    await expectAccessibleInBoth(page);
    // The machine belongs to all organizations, so only platform support sees its figures.
    for (const hidden of ['Processor', 'Memory', 'Disk', 'Event loop', 'Version'])
      expect(await page.getByText(hidden).count()).toBe(0);
  });

  it('Platform support sees the figures of the machine, with charts that can be shown as tables', async () => {
    const { administratorId } = await site.app.organization();
    const { email } = await site.app.database.prisma.user.findUniqueOrThrow({
      where: { id: administratorId },
    });
    const page = await site.page({ as: administratorId });
    const support = { email, isPlatformSupport: true, trustsAddress: true };
    await setPlatformSupport(support, site.app);
    await giveSecondFactor(site.app, administratorId);
    await page.goto(`${site.origin}/vault`);
    await expect
      .poll(() => page.getByRole('definition').filter({ hasText: 'cores' }).textContent())
      .toMatch(/%/);
    await page.getByRole('img', { name: /^Processor/ }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: /^Table ?: Processor$/ }).click();
    const table = page.getByRole('table', { name: 'Processor' });
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(1);
    await page.getByLabel('Period').selectOption({ label: 'Last day' });
    await page.getByRole('img', { name: /^Memory/ }).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('The document list shows the state of each file and of its copy in the vault, and can be searched by name', async () => {
    const { prisma } = site.app.database;
    await prisma.assistantFile.updateMany({
      where: { originalName: 'rules-1.txt' },
      data: { size: 14_155_776 },
    });
    const page = await site.page({ as: ada });
    await page.goto(`${site.origin}/vault/documents`);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('rules-1.txt').getByText('Searchable').waitFor();
    await row('rules-1.txt').getByText('Ready').waitFor();
    // The same words and figures as on the assistant's page.
    const sizeIn = (shown: Page) =>
      shown
        .getByRole('row')
        .filter({ hasText: 'rules-1.txt' })
        .getByText(/^[\d.]+ (?:B|kB|MB)$/)
        .textContent();
    const files = await site.page({ as: ada });
    await files.goto(`${site.origin}/assistants/${assistantId}/files`);
    await files.getByRole('row').filter({ hasText: 'rules-1.txt' }).getByText('Ready').waitFor();
    expect([await sizeIn(page), await sizeIn(files)]).toEqual(['13.5 MB', '13.5 MB']);
    await expect.poll(() => row('rules-1.txt').getByRole('cell').nth(4).textContent()).toBe('1');
    await expect.poll(() => row('lost.pdf').textContent()).toContain('Lost');
    await expectAccessibleInBoth(page);
    await page.getByLabel('File name').fill('LOST');
    await row('rules-1.txt').waitFor({ state: 'detached' });
    await expect.poll(() => row('lost.pdf').count()).toBe(1);
    await page.getByLabel('File name').fill('nothing like that');
    await page.getByText('No matching files').waitFor();
  });

  it('A search shows the score of each passage in every stage, and the excluded passages with the reason', async () => {
    const page = await site.page({ as: ada });
    await page.goto(`${site.origin}/vault/search`);
    const assistant = page.getByRole('combobox', { name: 'Assistant' });
    await assistant.fill('hand');
    await page.getByRole('option', { name: 'Handbook (4 files)' }).click();
    expect(await assistant.inputValue()).toBe('Handbook (4 files)');
    await page.getByLabel('Query').fill('travel expenses receipt');
    await page.keyboard.press('Enter');
    const best = page.getByRole('article').first();
    await best.getByText('Keep every').waitFor();
    expect(
      (await best.locator('mark').allTextContents()).map((word) => word.toLowerCase()),
    ).toEqual(['travel', 'expenses', 'receipt']);
    const result = await vault.client.search({
      collection: assistantId,
      query: 'travel expenses receipt',
      explain: true,
    });
    const [expected] = result.passages;
    const stageCells = (name: string) =>
      best.getByRole('row').filter({ hasText: name }).getByRole('cell');
    await expect
      .poll(() => stageCells('Keywords').nth(0).textContent())
      .toBe(String(expected?.scores.keyword?.rank));
    expect(Number(await stageCells('Keywords').nth(1).textContent())).toBeCloseTo(
      expected?.scores.keyword?.score ?? 0,
      1,
    );
    expect(Number(await stageCells('Fused').nth(1).textContent())).toBeCloseTo(
      expected?.scores.fused ?? 0,
      3,
    );
    await page.getByText('Excluded passages').click();
    await page.getByText(/it is nearly identical to passage 1 of rules-[12]\.txt/).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByLabel('Passages', { exact: true }).selectOption('3');
    await page.getByLabel('Mode', { exact: true }).selectOption({ label: 'Keywords only' });
    await page.getByLabel('Query').fill('xyzzy');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No results').waitFor();
  });

  it('All vault pages fit on a phone', async () => {
    const page = await site.page({ as: ada, width: 360, height: 740 });
    for (const path of ['', '/documents', '/search']) {
      await page.goto(`${site.origin}/vault${path}`);
      await page.getByRole('heading', { level: 1, name: 'Vault' }).waitFor();
      if (path === '/search') {
        await page.getByLabel('Query').fill('travel');
        await page.keyboard.press('Enter');
        await page.getByRole('article').first().waitFor();
      }
      await expectAccessibleInBoth(page);
    }
  });

  it('A member who is not an administrator sees that the page is for administrators', async () => {
    const page = await site.page({ as: member });
    await page.goto(`${site.origin}/vault`);
    await page.getByText('This page is for administrators').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Vault' }).count()).toBe(0);
  });

  it('The pages show when the vector database stops and when it is back, and keep listing the documents', async () => {
    const page = await site.page({ as: ada });
    await vault.vectorDb.stop();
    await page.goto(`${site.origin}/vault`);
    await expect.poll(() => page.getByRole('status').first().textContent()).toContain('Unhealthy');
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByText('Unknown').first().waitFor();
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByLabel('Query').fill('travel');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(/vault/i).waitFor();
    await vault.vectorDb.start();
    await page.getByRole('link', { name: 'State' }).click();
    await expect.poll(() => page.getByRole('status').first().textContent()).toContain('Healthy');
  });
});
