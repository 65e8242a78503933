import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn, share, type TestPerson } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { conversationsOf } from '../support/conversations.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { searchVaultStub } from '../support/search-vault-stub.ts';

describeInBrowser('feedback on answers', () => {
  let site: TestConsole;
  let provider: ModelProvider;
  let vault: Awaited<ReturnType<typeof searchVaultStub>>;
  let ada: TestPerson;
  let emil: TestPerson;

  beforeAll(async () => {
    provider = await modelProvider(() => ({ text: 'Thirty days.' }));
    provider.refuseTitles();
    vault = await searchVaultStub();
    site = await openConsole(
      { MODEL_BASE_URL: provider.baseUrl, MODEL_API_KEY: 'k', MODEL_DEFAULT: 'large' },
      { vault: vault.client },
    );
    site.app.startProcessing({ processesFiles: false });
    const organization = await site.app.organization();
    ada = await personIn(site.app, organization);
    emil = await personIn(site.app, organization);
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    await vault.stop();
    await provider.close();
  });

  async function open(person: TestPerson, path: string, width: number): Promise<Page> {
    const page = await site.page({ as: person.id, reusesSession: true, width });
    await page.goto(`${site.origin}/assistants/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const mark = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const isPressed = (page: Page, name: string) => mark(page, name).getAttribute('aria-pressed');
  const stored = (assistantId: string) =>
    site.app.database.prisma.answerFeedback.findMany({
      where: { assistantId },
      select: { mark: true, reason: true, comment: true, sharedQuestion: true, sharedAnswer: true },
    });
  const shared = { sharedQuestion: 'How many days?', sharedAnswer: 'Thirty days.' };
  const unshared = { sharedQuestion: null, sharedAnswer: null };

  it.each([390, 1280])(
    'A person marks an answer, says why, shares it, sees it again after a reload, and takes it back (%i px)',
    async (width) => {
      const assistantId = await assistantOf(ada, { name: 'Handbook' });
      await share(ada, assistantId, 'VIEW', { userId: emil.id });
      const page = await open(emil, assistantId, width);
      await page.getByRole('textbox', { name: 'Your question' }).fill('How many days?');
      await page.keyboard.press('Enter');
      await mark(page, 'Good answer').click();
      await expect.poll(() => isPressed(page, 'Good answer')).toBe('true');
      const good = { mark: 'GOOD', reason: null, comment: '', ...unshared };
      expect(await stored(assistantId)).toEqual([good]);
      await expectAccessibleInBoth(page);

      await mark(page, 'Bad answer').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'What was bad?' });
      await dialog.getByRole('radio', { name: 'Incomplete' }).check();
      await dialog.getByRole('textbox', { name: 'Comment' }).fill('And in the first year?');
      const preview = dialog.getByRole('region', { name: 'This is shared' });
      expect(await preview.count()).toBe(0);
      await dialog.getByRole('checkbox', { name: 'Share question and answer' }).check();
      expect(await preview.getByRole('definition').allTextContents()).toEqual([
        'How many days?',
        'Thirty days.',
      ]);
      await expectAccessibleInBoth(page);
      expect(await stored(assistantId)).toEqual([{ ...good, mark: 'BAD' }]);
      await dialog.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Thank you. Your feedback was sent.').waitFor();
      const bad = { mark: 'BAD', reason: 'INCOMPLETE', comment: 'And in the first year?' };
      expect(await stored(assistantId)).toEqual([{ ...bad, ...shared }]);

      await page.reload();
      await expect.poll(() => isPressed(page, 'Bad answer')).toBe('true');
      expect(await isPressed(page, 'Good answer')).toBe('false');
      await mark(page, 'Edit your comment').click();
      await dialog.getByRole('checkbox', { name: 'Share question and answer' }).uncheck();
      await dialog.getByRole('button', { name: 'Send' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await stored(assistantId)).toEqual([{ ...bad, ...unshared }]);

      await mark(page, 'Bad answer').click();
      await page.getByText('Your feedback was taken back.').waitFor();
      expect(await isPressed(page, 'Bad answer')).toBe('false');
      expect(await stored(assistantId)).toEqual([]);
    },
  );

  it('A mark that cannot be stored is not shown as pressed, and the reason is told', async () => {
    const assistantId = await assistantOf(emil, { name: 'Handbook' });
    const own = conversationsOf(emil);
    const conversationId = await own.create(assistantId);
    await own.ask({ assistantId, conversationId }, 'How many days?');
    const page = await open(emil, `${assistantId}/c/${conversationId}`, 1280);
    await mark(page, 'Good answer').waitFor();
    await emil.call('DELETE', own.at(conversationId));
    await mark(page, 'Good answer').click();
    await page.getByRole('alert').getByText('Answer not found').waitFor();
    expect(await isPressed(page, 'Good answer')).toBe('false');
  });

  it.each([390, 1280])(
    'Who may change the assistant sees the numbers and the feedback, and names only with what is shared (%i px)',
    async (width) => {
      const assistantId = await assistantOf(ada, { name: 'Handbook' });
      await share(ada, assistantId, 'VIEW', { userId: emil.id });
      const give = async (input: string) => {
        const own = conversationsOf(emil);
        const conversationId = await own.create(assistantId);
        await own.ask({ assistantId, conversationId }, 'How many days?');
        const [, answer] = (await own.get(conversationId)).messages;
        const { errors } = await emil.graph(
          `mutation { giveFeedback(input: { messageId: "${answer?.id}", ${input} }) { message { id } } }`,
        );
        expect(errors).toEqual([]);
      };
      await give('mark: GOOD');
      await give('mark: GOOD, comment: "Quick"');
      await give('mark: BAD, reason: OUTDATED, comment: "It changed", sharesContent: true');
      const page = await open(ada, `${assistantId}/feedback`, width);
      const table = page.getByRole('table', { name: 'Feedback on answers of the assistant' });
      await table.getByText('It changed').waitFor();
      const figures = page.locator('.figure');
      expect(await figures.allInnerTexts()).toEqual([
        expect.stringMatching(/Good answers\s*2/),
        expect.stringMatching(/Bad answers\s*1/),
        expect.stringMatching(/Rated good\s*67\s*%/),
      ]);
      const row = (text: string) => table.getByRole('row').filter({ hasText: text });
      expect(await row('Quick').innerText()).toContain('Anonymous');
      expect(await row('Quick').getByRole('button').count()).toBe(0);
      expect(await row('It changed').innerText()).toContain(emil.email);
      expect(await row('It changed').innerText()).toContain('Outdated');
      await expectAccessibleInBoth(page);

      await row('It changed')
        .getByRole('button', { name: /^Show question and answer of/ })
        .click();
      const dialog = page.getByRole('dialog', { name: `Shared by ${emil.email}` });
      expect(await dialog.getByRole('definition').allTextContents()).toEqual([
        'How many days?',
        'Thirty days.',
      ]);
      await expectAccessibleInBoth(page);
      await page.keyboard.press('Escape');

      await page.getByLabel('Show', { exact: true }).selectOption('Bad answers only');
      await row('Quick').waitFor({ state: 'detached' });
      expect(await table.getByRole('row').filter({ hasText: 'It changed' }).count()).toBe(1);
      const viewer = await open(emil, `${assistantId}/files`, width);
      const tabs = viewer.getByRole('navigation', { name: 'This assistant' });
      await tabs.getByRole('link', { name: 'Settings' }).waitFor();
      expect(await tabs.getByRole('link', { name: 'Feedback' }).count()).toBe(0);
    },
  );
});
