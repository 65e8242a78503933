import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('exporting and deleting an account', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await openConsole();
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  it('A person exports their data as a file, and deletes the account by typing its address', async () => {
    const owner = await site.app.organization();
    const email = `leaving@${owner.slug}.example`;
    const { id } = await owner.member(email);
    const page = await site.page({ as: id, width: 380 });
    await page.goto(`${site.origin}/settings`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export data' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('atrium-account.json');
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
      account: { id, email },
    });
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByRole('textbox').fill('other@address.example');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('This is not the address of your account').waitFor();
    await expectAccessibleInBoth(page);
    await dialog.getByRole('textbox').fill(email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL((url) => url.pathname === '/auth');
    expect(await site.app.database.prisma.user.count({ where: { id } })).toBe(0);
  });
});
