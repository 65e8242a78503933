import type { Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  drawn,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
  withoutIdleTime,
} from '../support/browser.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { createProcessedFile, searchVaultStub } from '../support/search-vault-stub.ts';
import { password } from '../support/sign-in.ts';

describeInBrowser('pages of the console', () => {
  let site: TestConsole;
  let provider: ModelProvider;
  let vault: Awaited<ReturnType<typeof searchVaultStub>>;
  let organization: TestOrganization;
  let ada: TestPerson;
  let handbook: string;

  beforeAll(async () => {
    provider = await modelProvider(({ messages }) => ({
      text: `Answer to ${messages.at(-1)?.content}`,
    }));
    provider.refuseTitles();
    vault = await searchVaultStub();
    site = await openConsole(
      { MODEL_BASE_URL: provider.baseUrl, MODEL_API_KEY: 'k', MODEL_DEFAULT: 'large' },
      { vault: vault.client },
    );
    site.app.startProcessing({ processesFiles: false });
    organization = await site.app.organization();
    ada = await personIn(site.app, organization);
    handbook = await assistantOf(ada, { name: 'Handbook' });
    await assistantOf(ada, { name: 'Travel' });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    await vault.stop();
    await provider.close();
  });

  let isSessionOver = false;
  async function open(
    path: string,
    options: { as?: string; width?: number; height?: number } = {},
  ): Promise<Page> {
    const page = await site.page({ as: ada.id, reusesSession: !isSessionOver, ...options });
    isSessionOver = false;
    await page.goto(site.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  /** The words of tables that stand on more than one line. */
  const brokenWords = (page: Page): Promise<string[]> =>
    page.locator('td').evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const broken: string[] = [];
        while (walker.nextNode()) {
          const node = walker.currentNode;
          for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s-]+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (range.getClientRects().length > 1) broken.push(word);
          }
        }
        return broken;
      }),
    );
  const endSessions = async () => {
    isSessionOver = true;
    await site.app.database.prisma.session.deleteMany({ where: { userId: ada.id } });
  };
  const input = (page: Page) => page.getByRole('textbox', { name: 'Your question' });

  it('A person whose session has ended signs in again on the page, and what was under way continues', async () => {
    const page = await open(`/assistants/${handbook}`);
    await input(page).fill('Am I still here?');
    await endSessions();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill('not the password');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('article', { name: 'Handbook' })
      .getByText('Answer to Am I still here?')
      .waitFor();
    expect(provider.requests).toHaveLength(1);

    // What is read again without a click of the person stays behind the dialog, too.
    const answer = page.getByRole('article', { name: 'Handbook' }).getByText('Answer to Am I');
    await page.reload();
    await answer.waitFor();
    await endSessions();
    await page.evaluate(() => new BroadcastChannel('atrium.conversations').postMessage('changed'));
    await dialog.waitFor();
    await drawn(page);
    expect(await answer.isVisible()).toBe(true);
    expect(await input(page).isVisible()).toBe(true);
  });

  it('A page whose data could not be read because the session had ended reads them after the sign-in', async () => {
    const page = await open('/settings');
    await endSessions();
    await page.getByRole('link', { name: 'Assistants' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await expectAccessibleInBoth(page);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Handbook' }).waitFor();
    await expect.poll(() => page.getByText('Your session has expired').count()).toBe(0);
  });

  it('One message is shown at a time, and none beside the failure of a later action', async () => {
    const page = await open('/settings');
    const save = page.getByRole('button', { name: 'Save' }).first();
    const toasts = page.locator('.toast');
    await page.getByLabel('First name').fill('Ada');
    await save.click();
    await toasts.waitFor();
    await page.getByLabel('First name').fill('Augusta');
    await save.click();
    await expect.poll(() => toasts.count()).toBe(1);
    const overlaps = await page.evaluate(() => {
      const toast = document.querySelector('.toast')?.getBoundingClientRect();
      return [...document.querySelectorAll('button, a, input')].some((element) => {
        const box = element.getBoundingClientRect();
        return (
          toast !== undefined &&
          box.width > 0 &&
          box.left < toast.right &&
          box.right > toast.left &&
          box.top < toast.bottom &&
          box.bottom > toast.top
        );
      });
    });
    expect(overlaps).toBe(false);
    await page.route('**/graphql', (route) => route.abort());
    await page.getByLabel('First name').fill('Grace');
    await save.click();
    await page.getByRole('alert').waitFor();
    expect(await toasts.count()).toBe(0);
  });

  it('A dialog at the end of a card stands in the middle of the window', async () => {
    const { body } = await organization.manage('POST', '/teams', { name: 'Sales' });
    for (const [as, path, action] of [
      [ada.id, `/assistants/${handbook}/settings`, 'Delete assistant'],
      [organization.administratorId, `/settings/teams/${Object(body['team']).id}`, 'Delete team'],
    ] as const) {
      const page = await open(path, { as });
      await page.getByRole('button', { name: action }).click();
      const box = await page.getByRole('dialog').boundingBox();
      if (!box) throw new Error('the dialog is not shown');
      expect(Math.abs(box.y + box.height / 2 - 450)).toBeLessThan(20);
    }
  });

  it('Leaving a form with changes asks first, by a link and by Back, and a saved form is left at once', async () => {
    const page = await open('/assistants');
    await page.getByRole('link', { name: 'Travel' }).click();
    await page
      .getByRole('navigation', { name: 'This assistant' })
      .getByRole('link', { name: 'Settings' })
      .click();
    const instructions = page.getByRole('textbox', { name: 'Instructions' });
    await instructions.fill('Be brief.');
    const questions: string[] = [];
    let accepts = false;
    page.on('dialog', async (dialog) => {
      questions.push(dialog.message());
      await (accepts ? dialog.accept() : dialog.dismiss());
    });
    await page.getByRole('link', { name: 'Developers' }).click();
    await expect.poll(() => questions.length).toBe(1);
    expect(questions[0]).toContain('not saved');
    expect(await instructions.inputValue()).toBe('Be brief.');
    await page.evaluate(() => history.back());
    await expect.poll(() => questions.length).toBe(2);
    expect(await instructions.inputValue()).toBe('Be brief.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.waitForURL(/\/developers/);
    expect(questions).toHaveLength(2);
    await page.goBack();
    await instructions.fill('Be very brief.');
    accepts = true;
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.waitForURL(/\/developers/);
    expect(questions).toHaveLength(3);
  });

  it('A search is still there after Back', async () => {
    const page = await open('/assistants');
    await page.getByRole('searchbox', { name: 'Search' }).fill('trav');
    await expect.poll(() => page.getByRole('heading', { level: 2 }).count()).toBe(1);
    await page.getByRole('link', { name: 'Travel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Travel' }).waitFor();
    await page.goBack();
    await expect
      .poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue())
      .toBe('trav');
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
  });

  it('A path that does not exist is a page for people, and an error for programs', async () => {
    const page = await site.page({ as: ada.id, reusesSession: true });
    const response = await page.goto(`${site.origin}/nope`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.waitForURL(`${site.origin}/`);
    const { status, headers } = await site.app.request('GET', '/nope');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('application/json');
  });

  it('A section that could not be loaded is loaded on request, and by itself when the connection is back', async () => {
    const page = await open('/');
    await withoutIdleTime(page);
    await page.reload();
    await page.getByRole('link', { name: 'Developers' }).waitFor();
    const cutOff = () => page.route('**/console/assets/**', (route) => route.abort());
    await cutOff();
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByText('This page could not be loaded').waitFor();
    await expectAccessibleInBoth(page);
    await page.unroute('**/console/assets/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
    await cutOff();
    await page
      .getByRole('link', { name: 'Vault' })
      .or(page.getByRole('link', { name: 'Settings' }))
      .first()
      .click();
    await page.getByText('This page could not be loaded').waitFor();
    await page.unroute('**/console/assets/**');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByText('This page could not be loaded').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('A dialog that cannot be loaded closes with a message, the page stays as it was, and the next try succeeds', async () => {
    const page = await open('/');
    const question = page.getByRole('textbox', { name: 'Your question' });
    await question.fill('What is half written?');
    const message = page.getByRole('status').getByText('Atrium cannot be reached');
    const bell = page.getByRole('button', { name: /^Notifications/ });
    for (const openDialog of [() => bell.click(), () => page.keyboard.press('Control+k')]) {
      await page.route('**/console/assets/**', (route) => route.abort());
      await openDialog();
      await message.waitFor();
      expect(await question.inputValue()).toBe('What is half written?');
      await page.unroute('**/console/assets/**');
      await openDialog();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await message.waitFor({ state: 'detached' });
    }
  });

  it('A click on a link is shown before the next page is rendered, and keeps the page until then', async () => {
    const page = await open('/');
    const linkTo = (name: string) => page.getByRole('link', { name, exact: true }).first();
    const heading = page.getByRole('heading', { level: 1 });
    const home = await heading.textContent();
    for (const name of ['Assistants', 'Settings', 'Home']) await linkTo(name).click();
    await expect.poll(() => heading.textContent()).toBe(home);
    for (const name of ['Assistants', 'Settings', 'Home']) {
      const headingBefore = await heading.textContent();
      const afterClick = await linkTo(name).evaluate(async (link) => {
        if (link instanceof HTMLElement) link.click();
        // What is rendered at once is rendered in this task.
        await Promise.resolve();
        const shownHeading = document.querySelector('h1')?.textContent;
        return { current: link.getAttribute('aria-current'), shownHeading };
      });
      expect(afterClick).toEqual({ current: 'page', shownHeading: headingBefore });
      await expect.poll(() => heading.textContent()).not.toBe(headingBefore);
    }
  });

  it('A dialog with a form begins at its first field', async () => {
    const page = await open('/settings/keys');
    await page
      .getByRole('button', { name: /^Create/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    expect(
      await page.evaluate(() => document.activeElement?.matches('dialog :is(input, select)')),
    ).toBe(true);
  });

  it('Files are a table with pages, a search, an order and a state, whose selected files are deleted together', async () => {
    const assistant = await assistantOf(ada, { name: 'Archive' });
    const names = Array.from({ length: 30 }, (_, nth) => `Minutes ${String(nth).padStart(2, '0')}`);
    for (const name of [...names, 'Handbook of the whole company.pdf'])
      await createProcessedFile(site.app, organization, assistant, name);
    await site.app.database.prisma.assistantFile.updateMany({
      where: { assistantId: assistant, originalName: 'Minutes 00' },
      data: {
        status: 'FAILED',
        errorCode: 'FILE_ENCRYPTED',
        errorMessage: 'The file is protected by a password. Remove it.',
      },
    });
    await site.app.database.prisma.assistantFile.updateMany({
      where: { assistantId: assistant, originalName: 'Minutes 01' },
      data: { mimeType: 'application/vnd.oasis.opendocument.text' },
    });
    const page = await open(`/assistants/${assistant}/files`);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const namesShown = () => page.getByRole('table').getByRole('link').allTextContents();
    await page.getByText('1–25 of 31').waitFor();
    await page.getByLabel('Order').selectOption('Name');
    await expect
      .poll(namesShown)
      .toEqual(['Handbook of the whole company.pdf', ...names.slice(0, 24)]);
    expect(await brokenWords(page)).toEqual([]);
    // A failed file does not make the other rows higher.
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((each) => each.getBoundingClientRect().height));
    expect(Math.max(...heights.slice(2))).toBeLessThan(64);
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(namesShown).toEqual(names.slice(24));
    await page.getByLabel('State').selectOption('Failed');
    await row('Minutes 00').getByText('The file is protected by a password').waitFor();
    await expect.poll(namesShown).toEqual(['Minutes 00']);
    await page.getByLabel('State').selectOption('All');
    await page.getByRole('searchbox', { name: 'File name' }).fill('minutes 1');
    await expect.poll(namesShown).toEqual(names.slice(10, 20));
    await page.getByLabel('Select Minutes 10').check();
    await page.getByLabel('Select Minutes 12').check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Delete selected' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect
      .poll(namesShown)
      .toEqual(names.slice(10, 20).filter((name) => !/1[02]$/.test(name)));
    const phone = await open(`/assistants/${assistant}/files`, { width: 320, height: 740 });
    await phone.getByText('1–25 of 29').waitFor();
    await expectAccessibleInBoth(phone);
  });

  it('Deleting every file of the last page shows the page before it', async () => {
    const assistant = await assistantOf(ada, { name: 'Last page' });
    const names = Array.from({ length: 27 }, (_, nth) => `Paper ${String(nth).padStart(2, '0')}`);
    for (const name of names) await createProcessedFile(site.app, organization, assistant, name);
    for (const viewport of [{}, { width: 320, height: 640 }]) {
      const page = await open(`/assistants/${assistant}/files?order=NAME&page=2`, viewport);
      await page
        .getByLabel(/^Select Paper/)
        .first()
        .waitFor();
      for (const checkbox of await page.getByLabel(/^Select Paper/).all()) await checkbox.check();
      await page.getByRole('button', { name: 'Delete selected' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('link', { name: 'Paper 00' }).waitFor();
      expect(new URL(page.url()).searchParams.get('page')).toBeNull();
      for (const name of names.slice(25))
        await createProcessedFile(site.app, organization, assistant, name);
    }
  });

  it('A long name stays inside the window and leaves the other controls in reach', async () => {
    const name = 'W'.repeat(120);
    const assistant = await assistantOf(ada, { name });
    await site.app.database.prisma.user.update({
      where: { id: ada.id },
      data: { firstName: 'M'.repeat(60), lastName: 'O'.repeat(60) },
    });
    const outside: string[] = [];
    for (const width of [320, 800, 1280]) {
      for (const path of [
        ...['/', '/assistants', `/assistants/${assistant}`],
        ...['/developers', '/settings'],
      ]) {
        const page = await open(path, { width, height: 740 });
        await page
          .getByText(path === '/settings' ? 'First name' : name)
          .first()
          .waitFor({ state: 'attached' });
        const found = await page.evaluate(() =>
          [...document.querySelectorAll('button, a, h1, h2, input, select, textarea')]
            .filter((each) => each.checkVisibility() && !each.closest('.skip, .sr-only'))
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
            .map((each) => `${each.tagName} ${each.className} ${each.textContent?.slice(0, 30)}`),
        );
        outside.push(...found.map((each) => `${width} ${path}: ${each}`));
        const wider = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (wider > 0) outside.push(`${width} ${path}: the page is ${wider} pixels wider`);
        await page.close();
      }
    }
    await site.app.database.prisma.user.update({
      where: { id: ada.id },
      data: { firstName: '', lastName: '' },
    });
    expect(outside).toEqual([]);
  });

  it('A wide window shows the content in its middle', async () => {
    const page = await open('/assistants', { width: 2000, height: 900 });
    const box = await page.locator('#content').boundingBox();
    const navigation = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    if (!box || !navigation) throw new Error('the page has no content');
    const before = box.x - (navigation.x + navigation.width);
    const after = 2000 - (box.x + box.width);
    expect(before).toBeGreaterThan(100);
    expect(Math.abs(before - after)).toBeLessThan(30);
  });

  it('A printed page has the content only, in light colours', async () => {
    const page = await open(`/assistants/${handbook}`);
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.emulateMedia({ media: 'print' });
    for (const name of ['Main', 'Conversations', 'This assistant'])
      expect(await page.getByRole('navigation', { name }).isVisible()).toBe(false);
    expect(await input(page).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe(
      'rgb(27, 27, 34)',
    );
    for (const [path, title] of [
      ['/settings/keys', 'My keys'],
      ['/assistants', 'Assistants'],
      [`/assistants/${handbook}/files`, 'Handbook'],
    ] as const) {
      await page.goto(site.origin + path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      const { text } = await extractText(new Uint8Array(await page.pdf()), { mergePages: true });
      expect(text).toContain(title);
      expect(text).not.toMatch(/Developers|Skip to content|New assistant|Choose files|Dark theme/);
    }
  });

  it('Home asks: the question goes to the chosen assistant, and its conversation is listed as recent', async () => {
    for (const viewport of [{}, { width: 360, height: 740 }]) {
      const page = await open('/', viewport);
      const assistant = page.getByRole('combobox', { name: 'Assistant' });
      await assistant.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('hand');
      await page.getByRole('option', { name: 'Handbook' }).waitFor();
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
      await expectAccessibleInBoth(page);
      await page.keyboard.press('Enter');
      await expect.poll(() => assistant.inputValue()).toBe('Handbook');
      await input(page).fill('What is new at home?');
      await page.keyboard.press('Enter');
      await page
        .getByRole('article', { name: 'Handbook' })
        .getByText('Answer to What is new at home?')
        .waitFor();
      const { pathname } = new URL(page.url());
      await page.goto(site.origin);
      const recent = page.getByRole('region', { name: 'Recent conversations' });
      await recent.getByRole('link', { name: 'What is new at home?' }).first().waitFor();
      expect(
        await recent
          .getByRole('link', { name: 'What is new at home?' })
          .first()
          .getAttribute('href'),
      ).toBe(pathname);
      await expectAccessibleInBoth(page);
    }
  });
});
