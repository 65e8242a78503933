import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn, share } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { fileOf } from '../support/shelf.ts';
import { type VaultParts, vaultParts } from '../support/vault-parts.ts';

describeInBrowser('the vault’s pages', () => {
  let parts: VaultParts;
  let people: TestConsole;
  let ada: string;
  let member: string;
  let assistantId: string;

  beforeAll(async () => {
    parts = await vaultParts();
    people = await openConsole({}, { vault: parts.client });
    const us = await people.app.organization();
    ada = us.administratorId;
    const colleague = await personIn(people.app, us);
    member = colleague.id;
    assistantId = await assistantOf(colleague, { name: 'Handbook' });
    await share(colleague, assistantId, 'VIEW', { userId: ada });
    const texts = [
      'Travel expenses are paid back within two weeks. Keep every receipt.',
      'Travel expenses are paid back within two weeks. Keep every receipt!',
      'Employees have thirty days of vacation in a year. Days of travel count as days of work.',
    ];
    for (const [index, text] of texts.entries()) {
      const id = await fileOf(people.app, us, assistantId, `rules-${index + 1}.txt`);
      expect((await parts.put(assistantId, id, text)).status).toBe(200);
    }
    await fileOf(people.app, us, assistantId, 'lost.pdf');
  });
  afterAll(async () => {
    expect(people.faults).toEqual([]);
    await people.close();
    await parts.close();
  });

  it('the state is told in words, with figures of now and over time, each of which can be read as a table', async () => {
    const page = await people.page({ as: ada });
    await page.goto(`${people.origin}/vault`);
    await page.getByText('Files are taken in and searched.').waitFor();
    await page.getByText('Healthy', { exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole('definition').filter({ hasText: 'cores' }).textContent())
      .toMatch(/%/);
    await page.getByRole('img', { name: /^Processor/ }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: /^Table ?: Processor$/ }).click();
    const table = page.getByRole('table', { name: 'Processor' });
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(1);
    await page.getByLabel('Shown').selectOption({ label: 'The last day' });
    await page.getByRole('img', { name: /^Memory/ }).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('every file shows beside its own state what the vault holds of it, and can be looked for by name', async () => {
    const page = await people.page({ as: ada });
    await page.goto(`${people.origin}/vault/documents`);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('rules-1.txt').getByText('Searchable').waitFor();
    await expect.poll(() => row('rules-1.txt').getByRole('cell').nth(4).textContent()).toBe('1');
    await expect.poll(() => row('lost.pdf').textContent()).toContain('Lost');
    await expectAccessibleInBoth(page);
    await page.getByLabel('Name of the file').fill('LOST');
    await row('rules-1.txt').waitFor({ state: 'detached' });
    await expect.poll(() => row('lost.pdf').count()).toBe(1);
    await page.getByLabel('Name of the file').fill('nothing like that');
    await page.getByText('No file has such a name').waitFor();
  });

  it('a search shows for each passage what every stage gave it, and what was left out and why', async () => {
    const page = await people.page({ as: ada });
    await page.goto(`${people.origin}/vault/search`);
    await page.getByLabel('Question').fill('travel expenses receipt');
    await page.keyboard.press('Enter');
    const best = page.getByRole('article').first();
    await best.getByText('Keep every').waitFor();
    expect(
      (await best.locator('mark').allTextContents()).map((word) => word.toLowerCase()),
    ).toEqual(['travel', 'expenses', 'receipt']);
    const found = await parts.client.search({
      collection: assistantId,
      query: 'travel expenses receipt',
      explain: true,
    });
    const [expected] = found.passages;
    const stage = (name: string) =>
      best.getByRole('row').filter({ hasText: name }).getByRole('cell');
    await expect
      .poll(() => stage('Words').nth(0).textContent())
      .toBe(String(expected?.scores.keyword?.rank));
    expect(Number(await stage('Words').nth(1).textContent())).toBeCloseTo(
      expected?.scores.keyword?.score ?? 0,
      1,
    );
    expect(Number(await stage('Together').nth(1).textContent())).toBeCloseTo(
      expected?.scores.fused ?? 0,
      3,
    );
    await page.getByText('What was left out, and why').click();
    await page.getByText(/it says what passage 1 of rules-[12]\.txt says/).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByLabel('Passages', { exact: true }).selectOption('3');
    await page.getByLabel('By', { exact: true }).selectOption({ label: 'Words alone' });
    await page.getByLabel('Question').fill('xyzzy');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Nothing fits').waitFor();
  });

  it('everything fits on a phone', async () => {
    const page = await people.page({ as: ada, width: 360, height: 740 });
    for (const path of ['', '/documents', '/search']) {
      await page.goto(`${people.origin}/vault${path}`);
      await page.getByRole('heading', { level: 1, name: 'Vault' }).waitFor();
      if (path === '/search') {
        await page.getByLabel('Question').fill('travel');
        await page.keyboard.press('Enter');
        await page.getByRole('article').first().waitFor();
      }
      await expectAccessibleInBoth(page);
    }
  });

  it('somebody who is no administrator is told whose page it is', async () => {
    const page = await people.page({ as: member });
    await page.goto(`${people.origin}/vault`);
    await page.getByText('The vault is for administrators').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Vault' }).count()).toBe(0);
  });

  it('a vault that loses its database says so, and when it is back; its documents stay listed', async () => {
    const page = await people.page({ as: ada });
    await parts.vectorDb.stop();
    await page.goto(`${people.origin}/vault`);
    await expect
      .poll(() => page.getByRole('status').first().textContent(), { timeout: 10_000 })
      .toContain('Unhealthy');
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByText('Not known').first().waitFor();
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByLabel('Question').fill('travel');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(/vault/i).waitFor();
    await parts.vectorDb.start();
    await page.getByRole('link', { name: 'State' }).click();
    await expect
      .poll(() => page.getByRole('status').first().textContent(), { timeout: 20_000 })
      .toContain('Healthy');
  });
});
