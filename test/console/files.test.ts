import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { temporaryDirectory } from '../support/process.ts';

describeInBrowser('the files of an assistant', () => {
  let site: TestConsole;
  let organization: TestOrganization;
  let ada: TestPerson;
  const directory = temporaryDirectory();
  const folder = join(directory.path, 'policies');
  const files = { 'a.txt': 'Text of a.', '2025/b.txt': 'Text of b.', '2025/c.txt': 'Text of a.' };

  beforeAll(async () => {
    // Nothing processes the files, so they wait.
    site = await openConsole();
    organization = await site.app.organization();
    ada = await personIn(site.app, organization);
    mkdirSync(join(folder, '2025'), { recursive: true });
    for (const [name, text] of Object.entries({ ...files, '.settings': 'x', '2025/.more': 'x' }))
      writeFileSync(join(folder, name), text);
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    directory.remove();
  });

  async function open(name: string, viewport: { width?: number } = {}) {
    const assistantId = await assistantOf(ada, { name });
    const page = await site.page({ as: ada.id, reusesSession: true, ...viewport });
    await page.goto(`${site.origin}/assistants/${assistantId}/files`);
    await page.getByText('No files yet').waitFor();
    return { page, assistantId };
  }
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  const namesOf = async (assistantId: string) =>
    (
      await site.app.database.prisma.assistantFile.findMany({
        where: { assistantId },
        select: { originalName: true },
        orderBy: { originalName: 'asc' },
      })
    ).map(({ originalName }) => originalName);

  it.each([320, 1280])(
    'All files of a chosen folder are added but hidden ones, and each says how many wait before it and whether another has the same content (%i px)',
    async (width) => {
      await site.app.database.prisma.assistantFile.deleteMany({
        where: { organizationId: organization.id },
      });
      const { page, assistantId } = await open('Folders', { width });
      await page.getByLabel('A folder to add').setInputFiles(folder);
      await row(page, 'a.txt').waitFor();
      await expect.poll(() => namesOf(assistantId)).toEqual(['a.txt', 'b.txt', 'c.txt']);
      const sorted = await site.app.database.prisma.assistantFile.findMany({
        where: { assistantId },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      const [first, second, third] = sorted.map(({ originalName }) => originalName);
      await row(page, String(second)).getByText('1 file before it').waitFor();
      await row(page, String(third)).getByText('2 files before it').waitFor();
      expect(await row(page, String(first)).getByText('before it').count()).toBe(0);
      const [original, copy] = sorted
        .filter(({ originalName }) => originalName !== 'b.txt')
        .map(({ originalName }) => originalName);
      await row(page, String(copy)).getByText(`The same content as ${original}.`).waitFor();
      expect(await row(page, String(original)).getByText('The same content').count()).toBe(0);
      await expectAccessibleInBoth(page);
    },
  );

  it('A folder that is dropped adds all files in it', async () => {
    const { page, assistantId } = await open('Dropped');
    const session = await page.context().newCDPSession(page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', {
        ...{ type, x: 600, y: 300 },
        data: { items: [], files: [folder], dragOperationsMask: 1 },
      });
    await row(page, 'a.txt').waitFor();
    await expect.poll(() => namesOf(assistantId)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it('More files than anybody adds at a time are refused together', async () => {
    const { page, assistantId } = await open('Many');
    const many = Array.from({ length: 501 }, (_, nth) => ({
      ...{ name: `${nth}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`Text ${nth}`) },
    }));
    const input = page.getByLabel('Files to add');
    await input.setInputFiles(many);
    await page.getByText('You chose 501 files. At most 500 can be added at a time').waitFor();
    expect(await namesOf(assistantId)).toEqual([]);
    await input.setInputFiles(many.slice(0, 2));
    await row(page, '1.txt').waitFor();
    expect(await page.getByText('You chose').count()).toBe(0);
  });

  it('The page says how much of its quota the organization uses', async () => {
    const { prisma } = site.app.database;
    await prisma.assistantFile.deleteMany({ where: { organizationId: organization.id } });
    await prisma.organization.update({ where: { id: organization.id }, data: { filesMax: 3 } });
    const { page } = await open('Quota');
    await page.getByText('Your organization uses 0 of 3 files').waitFor();
    await page.getByLabel('A folder to add').setInputFiles(folder);
    await page.getByText('Your organization uses 3 of 3 files').waitFor();
    await expectAccessibleInBoth(page);
  });
});
