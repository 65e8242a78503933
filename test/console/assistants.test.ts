import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  chooseByTyping,
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openBrowser,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { chunkOf, type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { pdfFile } from '../support/pdf-file.ts';
import { buildConsole, type RunningServer, start, temporaryDirectory } from '../support/process.ts';

type SessionCookies = { name: string; value: string }[];
type UploadFile = { name: string; mimeType: string; buffer: Buffer };

const travel: UploadFile = {
  name: 'travel.pdf',
  mimeType: 'application/pdf',
  buffer: pdfFile([
    ['Trains come first.', 'Flights are for journeys of more than six hours.'],
    ['The meal allowance in Germany is 28 euro for a full day.', 'In Austria it is 50 euro.'],
  ]),
};
const question = 'How much is the meal allowance in Germany?';
const text = (name: string, content: string): UploadFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

describeInBrowser('assistants', () => {
  const directory = temporaryDirectory();
  let provider: ModelProvider;
  let server: RunningServer;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let cookies: Record<'ada' | 'emil', SessionCookies>;

  beforeAll(async () => {
    buildConsole();
    provider = await modelProvider(
      () => ({ text: 'Nothing to say.' }),
      [...['large', 'slow', 'thinker', 'writer']],
    );
    provider.refuseTitles();
    server = await start({
      DATA_DIR: directory.path,
      MODEL_PROVIDERS: JSON.stringify({ deep: { baseUrl: provider.baseUrl } }),
      USER_KEY_LIMIT: '100000',
      ANONYMOUS_LIMIT: '10000',
    });
    browser = await openBrowser(server.address);
    cookies = { ada: await cookiesOf('ada'), emil: await cookiesOf('emil') };
  });
  afterAll(async () => {
    await browser.close();
    server.process.kill('SIGKILL');
    await server.ended;
    await provider.close();
    directory.remove();
  });

  /**
   * Signs in a person of the demo workspace with the password that the server printed at its start.
   */
  async function cookiesOf(name: string): Promise<SessionCookies> {
    const [, password = ''] =
      new RegExp(`${name}@demo\\.example +password (\\S+)`).exec(server.output()) ?? [];
    const answer = await fetch(`${server.address}/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.address },
      body: JSON.stringify({ email: `${name}@demo.example`, password }),
    });
    expect(answer.status).toBe(200);
    return answer.headers.getSetCookie().map((line) => {
      const [, cookie = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return { name: cookie, value };
    });
  }

  async function open(
    path: string,
    { as = 'ada', ...viewport }: { as?: 'ada' | 'emil'; width?: number; height?: number } = {},
  ): Promise<Page> {
    const page = await browser.page({ cookies: cookies[as], ...viewport });
    await page.goto(`${server.address}/assistants${path}`);
    return page;
  }

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name }).waitFor();
  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'This assistant' }).getByRole('link', { name }).click();
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const add = (page: Page, files: UploadFile[]) =>
    page.getByLabel('Files to add').setInputFiles(files);
  const sources = (page: Page) => page.getByRole('navigation', { name: 'Sources' });
  const excerpt = (page: Page) => page.getByRole('region', { name: 'Text of the file' });
  const highlighted = async (page: Page) =>
    (await excerpt(page).locator('mark').allTextContents()).join(' ');

  async function ask(page: Page, words: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Your question' }).fill(words);
    await page.keyboard.press('Enter');
  }

  /** Creates an assistant in the console and opens its chat. */
  async function createAssistant(name: string, { model = '' } = {}): Promise<Page> {
    const page = await open('/new');
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    if (model) await chooseByTyping(page, 'Model', { text: model });
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(page, name);
    return page;
  }

  async function createWithTravelFile(name: string, terms: { model?: string } = {}): Promise<Page> {
    const page = await createAssistant(name, terms);
    await tab(page, 'Files');
    await add(page, [travel]);
    await row(page, 'travel.pdf').getByText('Ready').waitFor();
    return page;
  }

  it('An uploaded PDF becomes ready, and a citation of it opens the highlighted passage and the file', async () => {
    const page = await createWithTravelFile('Travel');
    await row(page, 'travel.pdf').getByText('2 pages').waitFor();
    const statuses = page.getByRole('status');
    await expect.poll(() => statuses.allTextContents()).toContain('1 of 1 file is ready');
    await tab(page, 'Chat');
    await ask(page, question);
    await page.getByRole('button', { name: 'Source 1: travel.pdf, page 2' }).click();
    await excerpt(page).waitFor();
    expect(await highlighted(page)).toBe(
      'The meal allowance in Germany is 28 euro for a full day.',
    );
    await expect.poll(() => excerpt(page).textContent()).toContain('Trains come first.');
    await expectAccessibleInBoth(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download file' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('travel.pdf');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(travel.buffer)).toBe(true);
  });

  it('The cited page of a PDF is shown as it looks, with the quote marked, and the pages around it', async () => {
    const page = await createWithTravelFile('Pages');
    await tab(page, 'Chat');
    await ask(page, question);
    const source = page.getByRole('button', { name: 'Source 1: travel.pdf, page 2' });
    await source.click();
    const picture = (number: number) =>
      page.getByRole('img', { name: `Page ${number} of travel.pdf` });
    /** How many pixels of the page are dark, as letters are, and yellow, as marks are. */
    const pixels = (number: number) =>
      picture(number).evaluate((element) => {
        if (!(element instanceof HTMLCanvasElement)) throw new Error('not a picture');
        const { width, height } = element;
        const { data } = element.getContext('2d')?.getImageData(0, 0, width, height) ?? {};
        let [dark, yellow] = [0, 0];
        for (let at = 0; data && at < data.length; at += 4) {
          const [red = 0, , blue = 0] = data.subarray(at, at + 3);
          if (red < 80) dark += 1;
          if (red > 230 && blue < 190) yellow += 1;
        }
        return { dark, yellow };
      });
    await page.getByRole('button', { name: 'Show page 2' }).click();
    await picture(2).waitFor();
    const cited = await pixels(2);
    expect(cited.dark).toBeGreaterThan(500);
    expect(cited.yellow).toBeGreaterThan(cited.dark);
    await expectAccessibleInBoth(page);
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await picture(1).waitFor();
    const before = await pixels(1);
    expect(before.dark).toBeGreaterThan(500);
    expect(before.yellow).toBe(0);
    await page.getByRole('button', { name: 'Show the text' }).click();
    expect(await highlighted(page)).toBe(
      'The meal allowance in Germany is 28 euro for a full day.',
    );

    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('dialog').getByRole('button', { name: 'Show page 2' }).click();
    await picture(2).waitFor();
    await expectAccessibleInBoth(page);

    // On paper the answer stays uncovered, and its numbers have their sources.
    const openSource = page.locator('.assistants-excerpt, .assistants-page').first();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      await openSource.waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await openSource.isVisible()).toBe(false);
      expect(
        await page
          .getByRole('navigation', { name: 'Sources', includeHidden: true })
          .getByText('travel.pdf, page 2')
          .isVisible(),
      ).toBe(true);
      await page.emulateMedia({ media: 'screen' });
    }
  });

  it('Reasoning and tool calls are collapsed, and images and HTML in an answer are never rendered', async () => {
    provider.now((_, call) =>
      call === 1
        ? {
            reasoning: 'They want a sum of money.',
            toolCalls: [{ name: 'search_knowledge', input: { query: 'meal allowance' } }],
          }
        : {
            text: 'It is **28 euro** [1]. ![track](https://elsewhere.example/pixel.png) <img src="https://elsewhere.example/b.png"> [home](/settings)',
          },
    );
    const page = await createWithTravelFile('Deep', { model: 'deep/thinker' });
    await tab(page, 'Chat');
    await page.getByText('deep/thinker', { exact: true }).first().waitFor();
    await ask(page, question);
    await sources(page).waitFor();
    for (const [fold, inside] of [
      ['Reasoning', 'They want a sum of money.'],
      ['Searched the files', 'query: meal allowance'],
    ] as const) {
      await expect.poll(() => page.getByText(inside).isVisible()).toBe(false);
      await page.getByText(fold).click();
      await page.getByText(inside).waitFor();
    }
    await page.getByRole('listitem').getByText('travel.pdf, page 2').first().waitFor();
    await page.getByText('Searched the files · 1 file, 2 passages').waitFor();
    await expect
      .poll(() => page.getByRole('article', { name: 'Deep' }).textContent())
      .not.toContain('data-');
    await page.locator('strong', { hasText: '28 euro' }).waitFor();
    await expect.poll(() => page.locator('main img').count()).toBe(0);
    await expect
      .poll(() =>
        page.getByRole('article', { name: 'Deep' }).getByRole('link', { name: 'home' }).count(),
      )
      .toBe(0);
    await expect
      .poll(() => page.getByRole('link', { name: 'track' }).getAttribute('rel'))
      .toContain('noreferrer');
    await page.getByText('deep/thinker · 20 tokens in, 10 out').waitFor();
  });

  it('A citation of a replaced file shows the quoted text, and a deleted file leaves the list', async () => {
    const page = await createWithTravelFile('Changing');
    await tab(page, 'Chat');
    await ask(page, question);
    await sources(page).waitFor();
    await tab(page, 'Files');
    await page
      .getByLabel('A file to replace travel.pdf')
      .setInputFiles([text('travel-2.txt', 'Nobody travels any more.')]);
    await row(page, 'travel-2.txt').getByText('Ready').waitFor();
    await expect.poll(() => row(page, 'travel.pdf').count()).toBe(0);
    await tab(page, 'Chat');
    await page.getByRole('button', { name: 'Source 1: travel.pdf, page 2' }).click();
    await page.getByText('travel.pdf was replaced or deleted after this answer').waitFor();
    await page
      .getByRole('complementary', { name: 'Source' })
      .getByText('The meal allowance in Germany is 28 euro')
      .waitFor();
    await tab(page, 'Files');
    await page.getByRole('button', { name: 'Delete travel-2.txt' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No files yet').waitFor();
  });

  it('A large file shows its processing stages until it is ready', async () => {
    const page = await createAssistant('Watching');
    await tab(page, 'Files');
    const seen = page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const stages = new Set<string>();
          new MutationObserver((_, observer) => {
            const [words] = [...document.querySelectorAll('tr')]
              .filter((each) => each.textContent?.includes('long.txt'))
              .map((each) => each.textContent ?? '');
            for (const stage of [
              'Waiting',
              'Reading',
              'Splitting into passages',
              'Embedding',
              'Indexing',
              'Ready',
            ])
              if (words?.includes(stage)) stages.add(stage);
            if (!stages.has('Ready')) return;
            observer.disconnect();
            resolve([...stages]);
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
        }),
    );
    await add(page, [
      text(
        'long.txt',
        Array.from(
          { length: 15_000 },
          (_, at) => `Paragraph ${at} tells of ${at} flamingos, and of nothing else.`,
        ).join('\n\n'),
      ),
    ]);
    await page.getByRole('progressbar', { name: 'Processing of long.txt' }).waitFor();
    const stages = await seen;
    expect(stages.length).toBeGreaterThan(1);
    expect(stages.at(-1)).toBe('Ready');
  });

  it('An unreadable file shows the reason, an empty file is not sent, and a dropped file is uploaded', async () => {
    const page = await createAssistant('Refusing');
    await tab(page, 'Files');
    await page.getByText('No files yet').waitFor();
    await add(page, [
      text('nothing.txt', ''),
      {
        name: 'locked.pdf',
        mimeType: 'application/pdf',
        buffer: pdfFile([['secret']], { encrypted: true }),
      },
    ]);
    await page.getByRole('alert').getByText('nothing.txt is empty.').waitFor();
    await row(page, 'locked.pdf').getByText('The file is protected by a password').waitFor();
    await page.getByRole('button', { name: 'Dismiss nothing.txt' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
    const droppedFile = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['Geese fly south.'], 'geese.txt', { type: 'text/plain' }));
      return transfer;
    });
    await page.getByText('Drop files here').dispatchEvent('drop', { dataTransfer: droppedFile });
    await row(page, 'geese.txt').getByText('Ready').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('Three files are uploaded at a time, a cancelled upload starts the next one, and a file that is too large is not sent', async () => {
    const large = join(directory.path, 'large.bin');
    writeFileSync(large, '');
    truncateSync(large, 157_286_401);
    const page = await createAssistant('Many');
    await tab(page, 'Files');
    await page.getByText('No files yet').waitFor();
    const delayedUploads: Route[] = [];
    await page.route('**/graphql', async (route) => {
      if (route.request().headers()['content-type']?.startsWith('multipart/'))
        delayedUploads.push(route);
      else await route.continue();
    });
    await page.getByLabel('Files to add').setInputFiles(large);
    await page.getByRole('alert').getByText('large.bin is larger than 150 MB').waitFor();
    await add(
      page,
      ['one', 'two', 'three', 'four', 'five'].map((name) =>
        text(`${name}.txt`, `This is about ${name}.`),
      ),
    );
    await expect.poll(() => delayedUploads.length).toBe(3);
    await expect.poll(() => page.getByText('Waiting', { exact: true }).count()).toBe(2);
    await page.getByRole('button', { name: 'Cancel one.txt' }).click();
    await expect.poll(() => delayedUploads.length).toBe(4);
    // Leaving the page during an upload asks for confirmation on every tab.
    await tab(page, 'Chat');
    const confirmation = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await confirmation).type()).toBe('beforeunload');
    await (await confirmation).dismiss();
    await tab(page, 'Files');
    await page.unroute('**/graphql');
    for (const route of delayedUploads) await route.continue().catch(() => undefined);
    for (const name of ['two', 'three', 'four', 'five'])
      await row(page, `${name}.txt`).getByText('Ready').waitFor();
    await expect.poll(() => row(page, 'one.txt').count()).toBe(0);
  });

  it('A file can be attached to a question, it stays with the question, and its citations show the quoted text', async () => {
    const page = await createAssistant('Reader');
    const picking = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (await picking).setFiles([
      text('note.txt', 'The heron costs 40 euro a day. The stork is free.'),
    ]);
    const attached = page.getByRole('list', { name: 'Attached files' });
    await attached.getByRole('listitem').filter({ hasText: 'note.txt' }).waitFor();
    await ask(page, 'How much does the heron cost?');
    await expect.poll(() => attached.count()).toBe(0);
    await page.getByRole('button', { name: 'Source 1: note.txt' }).click();
    await page.getByText('from a file that was sent with a question').waitFor();
    await expect
      .poll(() => page.locator('mark').textContent())
      .toBe('The heron costs 40 euro a day.');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'note.txt' }).click();
    expect((await downloading).suggestedFilename()).toBe('note.txt');
    // The assistant reads the file again for the next question, and for the same one asked again.
    await ask(page, 'And the stork?');
    await page.getByRole('button', { name: 'Retry' }).nth(1).waitFor();
    await expect.poll(() => sources(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await page.getByText('2/2').waitFor();
    await page.getByRole('button', { name: 'Source 1: note.txt' }).waitFor();
  });

  it('An answer can be stopped, and a failed answer shows the reason and can be repeated', async () => {
    provider.now(() => ({ text: 'too late', afterMs: 20_000 }));
    const page = await createAssistant('Slow', { model: 'deep/slow' });
    await ask(page, 'Are you there?');
    await page.getByText('Waiting for an answer').waitFor();
    // The run continues while the person looks at another tab.
    await tab(page, 'Files');
    await page.getByText('No files yet').waitFor();
    await tab(page, 'Chat');
    await page.getByText('Waiting for an answer').waitFor();
    await expect.poll(() => provider.requests.length).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).first().waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    expect(await focused()).toBe('TEXTAREA');
    await expect.poll(provider.abandonedCount).toBeGreaterThan(0);
    provider.now(() => (response) => response.writeHead(400).end('secret reason'));
    await page.getByRole('button', { name: 'Ask again' }).click();
    expect(await focused()).toBe('TEXTAREA');
    await page.getByRole('alert').getByText('The model provider refused the request').waitFor();
    await expectAccessible(page);
    provider.now(() => ({ text: 'I am here.' }));
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('article', { name: 'Slow' }).getByText('I am here.').waitFor();
    expect(provider.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(
      1,
    );
  });

  it('An answer is shown while it is written, the page follows its end unless the reader scrolls up, and screen readers announce the complete answer', async () => {
    const lines = (from: number) =>
      Array.from({ length: 40 }, (_, at) => `line ${from + at}\n\n`).join('');
    const opened = Promise.withResolvers<ServerResponse>();
    provider.now(
      () => (response) =>
        opened.resolve(response.writeHead(200, { 'content-type': 'text/event-stream' })),
    );
    const page = await createAssistant('Writer', { model: 'deep/writer' });
    const isAtEnd = () =>
      page.evaluate(
        () => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 100,
      );
    const scrolled = () => page.evaluate(() => window.scrollY);
    await ask(page, 'Tell me more.');
    const answer = await opened.promise;
    const writeLines = async (from: number) => {
      answer.write(chunkOf('writer', { content: lines(from) }));
      // A paragraph of its own: until Markdown is loaded, the answer is one plain text, and higher.
      await page.getByText(`line ${from + 39}`, { exact: true }).waitFor();
    };
    await writeLines(100);
    await expect.poll(isAtEnd).toBe(true);
    const end = await scrolled();
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, -600);
    // The browser scrolls over several frames, and stands still for some of them on a busy machine.
    let before = end;
    await expect
      .poll(async () => {
        before = await scrolled();
        await page.waitForTimeout(400);
        return before <= end - 500 && before === (await scrolled());
      })
      .toBe(true);
    await page.getByRole('button', { name: 'Scroll to end' }).waitFor();
    await writeLines(200);
    expect(await scrolled()).toBe(before);
    await page.getByRole('button', { name: 'Scroll to end' }).click();
    await expect.poll(isAtEnd).toBe(true);
    await writeLines(300);
    await expect.poll(isAtEnd).toBe(true);
    const readOut = page.getByRole('status').filter({ hasText: 'line 339' });
    await expect.poll(() => readOut.count()).toBe(0);
    answer.end(`${chunkOf('writer', {}, 'stop')}data: [DONE]\n\n`);
    await readOut.waitFor({ state: 'attached' });
  });

  it('A draft is deleted at sign-out', async () => {
    const page = await createAssistant('Memory');
    await page.getByRole('textbox', { name: 'Your question' }).fill('A secret?');
    const storedDrafts = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(await storedDrafts()).toContain('A secret?');
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/auth/);
    expect(await storedDrafts()).not.toContain('A secret?');
    cookies.ada = await cookiesOf('ada');
  });

  it('The chat works by keyboard alone, and closing a source returns the focus to its marker', async () => {
    const page = await open('');
    await page.getByRole('link', { name: 'Handbook' }).press('Enter');
    const area = page.getByRole('textbox', { name: 'Your question' });
    await area.focus();
    await page.keyboard.type('How much is the');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('meal allowance in Germany?');
    await expect.poll(() => area.inputValue()).toBe('How much is the\nmeal allowance in Germany?');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: '28 euro' }).waitFor({ state: 'attached' });
    const marker = page
      .getByRole('button', { name: /^Source 1: travel-policy\.pdf, page 2$/ })
      .first();
    await marker.press('Enter');
    await excerpt(page).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Source 1: travel-policy.pdf, page 2',
    );
    await page.keyboard.press('Escape');
    await excerpt(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Source 1: travel-policy.pdf, page 2',
    );
  });

  it('An owner edits, shares and deletes an assistant, and a person who can only chat sees none of these actions', async () => {
    const page = await createAssistant('Shared');
    await tab(page, 'Settings');
    await page.getByRole('textbox', { name: 'Name' }).fill('Shared by Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Shared by Ada');
    await chooseByTyping(page, 'Person or team', { text: 'nobody@demo.example' });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText('Nobody in the organization has the address nobody@demo.example')
      .waitFor();
    await page.getByRole('button', { name: 'Remove nobody@demo.example' }).click();
    await chooseByTyping(page, 'Person or team', { text: 'emil@demo.example' });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await row(page, 'emil@demo.example').waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('combobox', { name: /^Level for Ada/ }).selectOption('VIEW');
    await page.getByRole('alert').getByText('An assistant keeps at least one owner').waitFor();

    const viewer = await open('', { as: 'emil' });
    await viewer.getByRole('combobox', { name: 'Show' }).selectOption('Shared with me');
    await viewer.getByRole('link', { name: 'Shared by Ada' }).click();
    await heading(viewer, 'Shared by Ada');
    await tab(viewer, 'Files');
    await viewer.getByText('You can read these files').waitFor();
    await expect.poll(() => viewer.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
    await tab(viewer, 'Settings');
    await viewer.getByText('Only its owner and editors can change it').waitFor();
    await expect
      .poll(() => viewer.getByRole('button', { name: /^(Save|Share|Delete)/ }).count())
      .toBe(0);

    await page.getByRole('button', { name: /^Remove Emil/ }).click();
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await row(page, 'emil@demo.example').waitFor({ state: 'detached' });
    // The pressed button was removed, and the focus moved to the list instead of the top of the
    // page.
    expect(
      await page.evaluate(
        () =>
          document.activeElement?.contains(document.querySelector('table')) &&
          document.activeElement !== document.body,
      ),
    ).toBe(true);
    await viewer.reload();
    await viewer.getByText('You may not view this assistant').waitFor();
    await page.getByRole('button', { name: 'Delete assistant' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await heading(page, 'Assistants');
    await expect.poll(() => page.getByRole('link', { name: 'Shared by Ada' }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search' }).fill('handb');
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
      .toEqual(['Handbook']);
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'New assistant' }).click();
    await heading(page, 'New assistant');
    await expectAccessibleInBoth(page);
  });

  it('The chat fits on a phone, where a source opens as a dialog that Back closes', async () => {
    const page = await open('', { width: 360, height: 740 });
    await page.getByRole('link', { name: 'Handbook' }).click();
    await ask(page, question);
    await sources(page).getByRole('button').first().click();
    await page.getByRole('dialog', { name: 'Source 1: travel-policy.pdf, page 2' }).waitFor();
    await excerpt(page).waitFor();
    expect(await highlighted(page)).toContain('28 euro');
    await expectAccessible(page);
    const chat = page.url();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toBe(chat);
    await sources(page).getByRole('button').first().click();
    await excerpt(page).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const name of ['Files', 'Settings']) {
      await tab(page, name);
      await page.getByRole('table').waitFor();
      await expectAccessible(page);
    }
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(browser.faults).toEqual([]);
  });
});

describeInBrowser('assistants of an organization without files', () => {
  let site: TestConsole;
  /** A vault that accepts connections and never answers. */
  const vault = createServer();
  beforeAll(async () => {
    await once(vault.listen(0, '127.0.0.1'), 'listening');
    const { port }: AddressInfo = Object(vault.address());
    site = await openConsole({ VAULT_URL: `http://127.0.0.1:${port}` });
    site.app.startProcessing({ processesFiles: false });
  });
  afterAll(async () => {
    await site.close();
    vault.close();
  });

  it('A person sees how to create an assistant, that files are disabled, and that an answer is late because a part of Atrium does not respond', async () => {
    const { administratorId } = await site.app.organization({ features: [] });
    const page = await site.page({ as: administratorId });
    await page.goto(`${site.origin}/assistants`);
    await page.getByText('No assistants yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New assistant' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Plain');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).fill('Anybody there?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('It goes on by itself').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).first().waitFor();
    await page
      .getByRole('navigation', { name: 'This assistant' })
      .getByRole('link', { name: 'Files' })
      .click();
    await page.getByText('Assistant files are not enabled').waitFor();
    await expectAccessible(page);
    expect(site.faults).toEqual([]);
  });
});
