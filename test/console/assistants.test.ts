import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openBrowser,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { chunkOf, type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { pdfFile } from '../support/pdf-file.ts';
import { type Running, start, temporaryDirectory } from '../support/process.ts';

type Cookies = { name: string; value: string }[];
type Upload = { name: string; mimeType: string; buffer: Buffer };

const travel: Upload = {
  name: 'travel.pdf',
  mimeType: 'application/pdf',
  buffer: pdfFile([
    ['Trains come first.', 'Flights are for journeys of more than six hours.'],
    ['The meal allowance in Germany is 28 euro for a full day.', 'In Austria it is 50 euro.'],
  ]),
};
const question = 'How much is the meal allowance in Germany?';
const text = (name: string, content: string): Upload => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

describeInBrowser('the assistants', () => {
  const directory = temporaryDirectory();
  let provider: ModelProvider;
  let server: Running;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let people: Record<'ada' | 'emil', Cookies>;

  beforeAll(async () => {
    execFileSync(
      process.execPath,
      [fileURLToPath(new URL('../../src/console/build.ts', import.meta.url))],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    provider = await modelProvider(() => ({ text: 'Nothing to say.' }));
    server = await start({
      DATA_DIR: directory.path,
      MODEL_PROVIDERS: JSON.stringify({ deep: { baseUrl: provider.baseUrl } }),
      USER_KEY_LIMIT: '100000',
      ANONYMOUS_LIMIT: '10000',
    });
    browser = await openBrowser(server.address);
    people = { ada: await cookiesOf('ada'), emil: await cookiesOf('emil') };
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    server.process.kill('SIGKILL');
    await server.ended;
    await provider.close();
    directory.remove();
  });

  /** A person of the demo workspace, signed in with the password that was printed at the start. */
  async function cookiesOf(name: string): Promise<Cookies> {
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
    { as = 'ada', ...wanted }: { as?: 'ada' | 'emil'; width?: number; height?: number } = {},
  ): Promise<Page> {
    const page = await browser.page({ cookies: people[as], ...wanted });
    await page.goto(`${server.address}/assistants${path}`);
    return page;
  }

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name }).waitFor();
  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'This assistant' }).getByRole('link', { name }).click();
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const add = (page: Page, files: Upload[]) => page.getByLabel('Files to add').setInputFiles(files);
  const sources = (page: Page) => page.getByRole('navigation', { name: 'Sources' });
  const excerpt = (page: Page) => page.getByRole('region', { name: 'Text of the file' });
  const highlighted = async (page: Page) =>
    (await excerpt(page).locator('mark').allTextContents()).join(' ');

  async function ask(page: Page, words: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Your question' }).fill(words);
    await page.keyboard.press('Enter');
  }

  /** A new assistant, made through the pages; the page shows its chat. */
  async function made(name: string, { model = '' } = {}): Promise<Page> {
    const page = await open('/new');
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByText('Others begin with deep/.').waitFor();
    await page.getByRole('textbox', { name: 'Model' }).fill(model);
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(page, name);
    return page;
  }

  async function withTravel(name: string, terms: { model?: string } = {}): Promise<Page> {
    const page = await made(name, terms);
    await tab(page, 'Files');
    await add(page, [travel]);
    await row(page, 'travel.pdf').getByText('Ready').waitFor();
    return page;
  }

  it('an uploaded PDF becomes ready before one’s eyes; an answer from it opens at the very passage, highlighted, and gives the file itself', async () => {
    const page = await withTravel('Travel');
    await row(page, 'travel.pdf').getByText('2 pages').waitFor();
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
    await page.getByRole('link', { name: 'Download the file' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('travel.pdf');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(travel.buffer)).toBe(true);
  });

  it('what the model thought and looked up is folded beside the answer, in words; pictures and tags of the answer are none', async () => {
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
    const page = await withTravel('Deep', { model: 'deep/thinker' });
    await tab(page, 'Chat');
    await ask(page, question);
    await sources(page).waitFor();
    for (const [fold, inside] of [
      ['Thought about it', 'They want a sum of money.'],
      ['Looked through the files', 'query: meal allowance'],
    ] as const) {
      await expect.poll(() => page.getByText(inside).isVisible()).toBe(false);
      await page.getByText(fold).click();
      await page.getByText(inside).waitFor();
    }
    await page.getByRole('listitem').getByText('travel.pdf, page 2').first().waitFor();
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
    await page.getByText('deep/thinker · 20 tokens read, 10 written').waitFor();
  });

  it('a source that was replaced since says so and shows what was quoted; a deleted file is gone from the list', async () => {
    const page = await withTravel('Changing');
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
    await page
      .getByText('travel.pdf was replaced or deleted since this answer was given')
      .waitFor();
    await page
      .getByRole('complementary', { name: 'Source' })
      .getByText('The meal allowance in Germany is 28 euro')
      .waitFor();
    await tab(page, 'Files');
    await page.getByRole('button', { name: 'Delete travel-2.txt' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No files yet').waitFor();
  });

  it('a long file is seen to be processed, stage by stage, until it is ready', async () => {
    const page = await made('Watching');
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
              'Cutting into passages',
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

  it('a file that can not be read says why, an empty one is not even sent, and a dropped one is taken', async () => {
    const page = await made('Refusing');
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
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['Geese fly south.'], 'geese.txt', { type: 'text/plain' }));
      return transfer;
    });
    await page.getByText('Drop files here').dispatchEvent('drop', { dataTransfer: dropped });
    await row(page, 'geese.txt').getByText('Ready').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('of many files three are sent at a time; one that is cancelled makes room, and one that is too large is never sent', async () => {
    const large = join(directory.path, 'large.bin');
    writeFileSync(large, '');
    truncateSync(large, 157_286_401);
    const page = await made('Many');
    await tab(page, 'Files');
    await page.getByText('No files yet').waitFor();
    const held: Route[] = [];
    await page.route('**/graphql', async (route) => {
      if (route.request().headers()['content-type']?.startsWith('multipart/')) held.push(route);
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
    await expect.poll(() => held.length).toBe(3);
    await expect.poll(() => page.getByText('Waits for its turn').count()).toBe(2);
    await page.getByRole('button', { name: 'Cancel one.txt' }).click();
    await expect.poll(() => held.length).toBe(4);
    // Whoever leaves meanwhile is asked first, also where the files are not in view.
    await tab(page, 'Chat');
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await asked).type()).toBe('beforeunload');
    await (await asked).dismiss();
    await tab(page, 'Files');
    await page.unroute('**/graphql');
    for (const route of held) await route.continue().catch(() => undefined);
    for (const name of ['two', 'three', 'four', 'five'])
      await row(page, `${name}.txt`).getByText('Ready').waitFor();
    await expect.poll(() => row(page, 'one.txt').count()).toBe(0);
  });

  it('a file can go with a question, and what is cited from it is shown though it is not kept', async () => {
    const page = await made('Reader');
    const picking = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach a file' }).click();
    await (await picking).setFiles([
      text('note.txt', 'The heron costs 40 euro a day. The stork is free.'),
    ]);
    await page.getByText('goes with each question').waitFor();
    await ask(page, 'How much does the heron cost?');
    await page.getByRole('button', { name: 'Source 1: note.txt' }).click();
    await page.getByText('Such files are read once and not kept').waitFor();
    await expect
      .poll(() => page.locator('mark').textContent())
      .toBe('The heron costs 40 euro a day.');
    await page.getByRole('button', { name: 'Leave out note.txt' }).click();
    await expect.poll(() => page.getByText('goes with each question').count()).toBe(0);
  });

  it('an answer can be stopped at once; a failed one says why and can be asked for again', async () => {
    provider.now(() => ({ text: 'too late', afterMs: 20_000 }));
    const page = await made('Slow', { model: 'deep/slow' });
    await ask(page, 'Are you there?');
    await page.getByText('Waiting for an answer').waitFor();
    // It goes on while something else of the assistant is looked at.
    await tab(page, 'Files');
    await page.getByText('No files yet').waitFor();
    await tab(page, 'Chat');
    await page.getByText('Waiting for an answer').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).first().waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    expect(await focused()).toBe('TEXTAREA');
    await expect.poll(provider.gone).toBeGreaterThan(0);
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

  it('an answer is shown as it comes, and followed to its end unless the reader has scrolled up; it is read out when it has ended', async () => {
    const lines = (from: number) =>
      Array.from({ length: 40 }, (_, at) => `line ${from + at}\n\n`).join('');
    const opened = Promise.withResolvers<ServerResponse>();
    provider.now(
      () => (response) =>
        opened.resolve(response.writeHead(200, { 'content-type': 'text/event-stream' })),
    );
    const page = await made('Writer', { model: 'deep/writer' });
    const isAtEnd = () =>
      page.evaluate(
        () => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 100,
      );
    const scrolled = () => page.evaluate(() => window.scrollY);
    await ask(page, 'Tell me more.');
    const answer = await opened.promise;
    const say = async (from: number) => {
      answer.write(chunkOf('writer', { content: lines(from) }));
      await page.getByText(`line ${from + 39}`).waitFor();
    };
    await say(100);
    await expect.poll(isAtEnd).toBe(true);
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, -600);
    await page.getByRole('button', { name: 'To the newest' }).waitFor();
    const before = await scrolled();
    await say(200);
    expect(await scrolled()).toBe(before);
    await page.getByRole('button', { name: 'To the newest' }).click();
    await expect.poll(isAtEnd).toBe(true);
    await say(300);
    await expect.poll(isAtEnd).toBe(true);
    const readOut = page.getByRole('status').filter({ hasText: 'line 339' });
    await expect.poll(() => readOut.count()).toBe(0);
    answer.end(`${chunkOf('writer', {}, 'stop')}data: [DONE]\n\n`);
    await readOut.waitFor({ state: 'attached' });
  });

  it('the chat goes on from what was said, stays over a reload, is emptied by a new one, and is gone for whoever comes after signing out', async () => {
    provider.now((_, call) => ({ text: `Answer ${call}.` }));
    const page = await made('Memory', { model: 'deep/memory' });
    await ask(page, 'First?');
    await page.getByRole('article', { name: 'Memory' }).getByText('Answer 1.').waitFor();
    await ask(page, 'Second?');
    await page.getByRole('article', { name: 'Memory' }).getByText('Answer 2.').waitFor();
    expect(provider.requests.at(-1)?.messages.slice(-3)).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user' },
    ]);
    await page.reload();
    await page.getByRole('article', { name: 'Memory' }).getByText('Answer 2.').waitFor();
    await page.getByRole('button', { name: 'New chat' }).click();
    await page.getByText('Ask Memory', { exact: true }).waitFor();
    await ask(page, 'Third?');
    await page.getByRole('article', { name: 'Memory' }).getByText('Answer 3.').waitFor();
    expect(provider.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(
      1,
    );
    const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(await kept()).toContain('Third?');
    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/auth/);
    expect(await kept()).not.toContain('Third?');
    people.ada = await cookiesOf('ada');
  });

  it('works by keyboard alone, reads an answer out when it has ended, and gives the focus back to what opened a source', async () => {
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

  it('an owner changes, shares and deletes; who may only chat is shown nothing that would be refused', async () => {
    const page = await made('Shared');
    await tab(page, 'Settings');
    await page.getByRole('textbox', { name: 'Name' }).fill('Shared by Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Shared by Ada');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('nobody@demo.example');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText('Nobody in the organization has the address nobody@demo.example')
      .waitFor();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('emil@demo.example');
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
    await viewer.getByText('You may read these files').waitFor();
    await expect.poll(() => viewer.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
    await tab(viewer, 'Settings');
    await viewer.getByText('Its owner decides who may change it').waitFor();
    await expect
      .poll(() => viewer.getByRole('button', { name: /Save|Share|Delete/ }).count())
      .toBe(0);

    await page.getByRole('button', { name: /^Remove Emil/ }).click();
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await row(page, 'emil@demo.example').waitFor({ state: 'detached' });
    // What was pressed is gone; the keyboard goes on from there, not from the top.
    expect(
      await page.evaluate(
        () =>
          document.activeElement?.contains(document.querySelector('table')) &&
          document.activeElement !== document.body,
      ),
    ).toBe(true);
    await viewer.reload();
    await viewer.getByText('You may not view this assistant').waitFor();
    await page.getByRole('button', { name: 'Delete this assistant' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
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

  it('fits a phone: a source lies over the chat, and nothing hangs over the edge', async () => {
    const page = await open('', { width: 360, height: 740 });
    await page.getByRole('link', { name: 'Handbook' }).click();
    await ask(page, question);
    await sources(page).getByRole('button').first().click();
    await page.getByRole('dialog', { name: 'Source 1: travel-policy.pdf, page 2' }).waitFor();
    await excerpt(page).waitFor();
    expect(await highlighted(page)).toContain('28 euro');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    for (const name of ['Files', 'Settings']) {
      await tab(page, name);
      await page.getByRole('table').waitFor();
      await expectAccessible(page);
    }
  });

  it('did all this without an error, a refused script or style, or a request to another host', () => {
    expect(browser.faults).toEqual([]);
  });
});

describeInBrowser('an organization without files', () => {
  let people: TestConsole;
  beforeAll(async () => {
    people = await openConsole();
  }, 60_000);
  afterAll(() => people.close());

  it('is shown how to begin, that files are not switched on, and why an answer fails', async () => {
    const { administratorId } = await people.app.organization({ features: [] });
    const page = await people.page({ as: administratorId });
    await page.goto(`${people.origin}/assistants`);
    await page.getByText('No assistant yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New assistant' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Plain');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('textbox', { name: 'Your question' }).fill('Anybody there?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('There is no vault').waitFor();
    await page
      .getByRole('navigation', { name: 'This assistant' })
      .getByRole('link', { name: 'Files' })
      .click();
    await page.getByText('Files are not switched on').waitFor();
    await expectAccessible(page);
    expect(people.faults).toEqual([]);
  });
});
