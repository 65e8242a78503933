import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assistantOf, personIn, share, type TestPerson } from '../support/assistants.ts';
import {
  chooseByTyping,
  describeInBrowser,
  drawn,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { chunkOf, type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { searchVaultStub } from '../support/search-vault-stub.ts';

describeInBrowser('the chat', () => {
  let site: TestConsole;
  let provider: ModelProvider;
  let vault: Awaited<ReturnType<typeof searchVaultStub>>;
  let ada: TestPerson;
  let emil: TestPerson;
  let handbook: string;

  beforeAll(async () => {
    provider = await modelProvider(() => ({ text: 'Hello.' }));
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
    handbook = await assistantOf(ada, { name: 'Handbook' });
    await share(ada, handbook, 'VIEW', { userId: emil.id });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    await vault.stop();
    await provider.close();
  });
  beforeEach(() =>
    provider.now(({ messages }) => ({ text: `Answer to ${messages.at(-1)?.content}` })),
  );

  async function openChat(
    person = ada,
    {
      assistant = handbook,
      ...viewport
    }: { assistant?: string; width?: number; height?: number } = {},
  ): Promise<Page> {
    const page = await site.page({ as: person.id, reusesSession: true, ...viewport });
    await page.goto(`${site.origin}/assistants/${assistant}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const input = (page: Page) => page.getByRole('textbox', { name: 'Your question' });
  const ask = async (page: Page, words: string) => {
    await input(page).fill(words);
    await page.keyboard.press('Enter');
  };
  const answers = (page: Page) => page.getByRole('article', { name: 'Handbook' });
  const answered = async (page: Page, words: string) => {
    await answers(page).getByText(words, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Retry' }).last().waitFor();
  };
  const rail = (page: Page) => page.getByRole('navigation', { name: 'Conversations' });
  const inConversation = (page: Page) => page.waitForURL(/\/c\/[^/]+$/);

  /** The model waits for the test, which writes the answer. */
  function writtenByTest() {
    const opened = Promise.withResolvers<ServerResponse>();
    provider.now(
      () => (response) =>
        opened.resolve(response.writeHead(200, { 'content-type': 'text/event-stream' })),
    );
    return {
      write: async (text: string) =>
        (await opened.promise).write(chunkOf('large', { content: text })),
      end: async () =>
        (await opened.promise).end(`${chunkOf('large', {}, 'stop')}data: [DONE]\n\n`),
    };
  }

  it('A reload in the middle of an answer continues it, and a second tab shows it as well', async () => {
    const answer = writtenByTest();
    const page = await openChat();
    await ask(page, 'What is first?');
    await inConversation(page);
    await answer.write('The first half, ');
    await answers(page).getByText('The first half,').waitFor();
    await page.reload();
    await answers(page).getByText('The first half,').waitFor();
    const secondTab = await page.context().newPage();
    await secondTab.goto(`${site.origin}/assistants/${handbook}`);
    await rail(secondTab).getByRole('link', { name: 'What is first?' }).click();
    await answers(secondTab).getByText('The first half,').waitFor();
    await answer.write('and the second.');
    await answer.end();
    for (const tab of [page, secondTab]) await answered(tab, 'The first half, and the second.');
    expect(provider.requests).toHaveLength(1);
    await secondTab.close();
  });

  describe('A page that is opened before the question is accepted stays open', () => {
    /** Asks, and keeps the request that starts the run from the server until `accept` is called. */
    async function askUnaccepted(page: Page, words: string) {
      const waiting = Promise.withResolvers<Route>();
      await page.route('**/graphql', (route) =>
        route.request().postData()?.includes('startRun')
          ? waiting.resolve(route)
          : route.continue(),
      );
      await ask(page, words);
      const route = await waiting.promise;
      return async function accept() {
        const [response] = await Promise.all([
          page.waitForResponse((answer) => answer.request() === route.request()),
          route.continue(),
        ]);
        await response.finished();
        // The page has read the answer a moment after it has arrived.
        await page.waitForTimeout(500);
      };
    }

    it('when it is another section', async () => {
      const page = await openChat();
      const accept = await askUnaccepted(page, 'Do I stay away?');
      await page.getByRole('link', { name: 'Developers', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
      await accept();
      await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/developers');
    });

    it('when it is opened at the same moment, and the tab of the chat leads to the conversation', async () => {
      const page = await openChat();
      const accept = await askUnaccepted(page, 'Where does the chat go?');
      // The address of the conversation is not rendered before that of the files.
      await page.evaluate(() => {
        const { replaceState } = history;
        history.replaceState = function replace(...[state, title, url]) {
          replaceState.call(this, state, title, url);
          if (String(url).includes('/c/'))
            document.querySelector<HTMLElement>('nav a[href$="/files"]')?.click();
        };
      });
      await accept();
      await page.getByText('No files yet').waitFor();
      const tabs = page.getByRole('navigation', { name: 'This assistant' });
      await tabs.getByRole('link', { name: 'Chat' }).click();
      await inConversation(page);
      await answered(page, 'Answer to Where does the chat go?');
    });

    it('when it is another tab of the assistant, which is not rendered yet', async () => {
      const page = await openChat();
      const accept = await askUnaccepted(page, 'Are the files still coming?');
      const tabs = page.getByRole('navigation', { name: 'This assistant' });
      // React renders a page that is not urgent in tasks that it starts with such messages.
      await page.evaluate(() => {
        const { postMessage } = MessagePort.prototype;
        const held: (() => void)[] = [];
        MessagePort.prototype.postMessage = function hold(message: unknown) {
          held.push(() => postMessage.call(this, message));
        };
        Object(globalThis)['render'] = () => {
          MessagePort.prototype.postMessage = postMessage;
          for (const send of held) send();
        };
      });
      await tabs.getByRole('link', { name: 'Files' }).click();
      await accept();
      await page.evaluate(() => Object(globalThis)['render']());
      await page.getByText('No files yet').waitFor();
      await tabs.getByRole('link', { name: 'Chat' }).click();
      await inConversation(page);
      await answered(page, 'Answer to Are the files still coming?');
    });
  });

  it('Code in an answer is highlighted and can be copied, and a line of hyphens makes no heading', async () => {
    const code = 'const answer = "42"; // of everything';
    provider.now(() => ({
      text: `The list\n-\n\n\`\`\`js\n${code}\n\`\`\`\n\n\`\`\`nolanguage\nplain <b>text</b>\n\`\`\``,
    }));
    const page = await openChat();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await ask(page, 'Show me code');
    const block = answers(page).getByRole('figure').filter({ hasText: 'answer' });
    await block.locator('span', { hasText: /^const$/ }).waitFor();
    expect(await block.locator('code').textContent()).toBe(code);
    await answers(page).getByText('plain <b>text</b>').waitFor();
    await block.getByRole('button', { name: 'Copy code' }).click();
    await block.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    expect(await answers(page).getByRole('heading').count()).toBe(0);
    await expectAccessibleInBoth(page);
  });

  it('Deep quotes and shifted formulas of an answer stay inside of it', async () => {
    const deep = `${'> '.repeat(60)}A deep quote.`;
    const items = Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- Item ${depth}`);
    provider.now(() => ({
      text: [
        ...['Up $\\raisebox{19em}{Shifted}$ and $\\kern{-19em}\\text{Back}$ here.', deep],
        items.join('\n'),
      ].join('\n\n'),
    }));
    const page = await openChat(ada, { width: 320, height: 740 });
    await ask(page, 'Draw over the page?');
    const shifted = answers(page).locator('.katex-html').first();
    await shifted.waitFor();
    await answers(page).getByText('A deep quote.').waitFor();
    await answers(page).getByText('Item 19').waitFor();
    await expectAccessible(page);
    // What is drawn above the answer is cut off, so a click there reaches what the page shows.
    const isDrawnOutside = await answers(page)
      .locator('.assistants-prose')
      .first()
      .evaluate((prose) => {
        const { top } = prose.getBoundingClientRect();
        return [...prose.querySelectorAll('.katex-html *')].some((part) => {
          const box = part.getBoundingClientRect();
          const y = (box.top + box.bottom) / 2;
          const hit = document.elementFromPoint((box.left + box.right) / 2, y);
          return y < top - 8 && hit !== null && prose.contains(hit);
        });
      });
    expect(isDrawnOutside).toBe(false);
  });

  it('In a window that is enlarged to 400 % the question field does not cover the answer', async () => {
    provider.now(() => ({ text: 'A sentence of the answer.\n\n'.repeat(20) }));
    const page = await openChat(ada, { width: 320, height: 256 });
    await ask(page, 'A long one?');
    await answers(page).getByText('A sentence of the answer.').nth(19).waitFor();
    const third = answers(page).getByText('A sentence of the answer.').nth(3);
    // Until the answer is complete, the chat scrolls to its end whenever it has grown.
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await expect
      .poll(() =>
        third.evaluate(async (sentence) => {
          sentence.scrollIntoView({ block: 'end' });
          await new Promise(requestAnimationFrame);
          const { left, bottom } = sentence.getBoundingClientRect();
          return sentence.contains(document.elementFromPoint(left + 20, bottom - 4));
        }),
      )
      .toBe(true);
    await expectAccessible(page);
  });

  it('A reader who scrolls up stays there while the answer grows, also where the browser tells late what is visible', async () => {
    const answer = writtenByTest();
    const page = await openChat(ada, { width: 320, height: 400 });
    await page.addInitScript(() => {
      window.IntersectionObserver = class extends IntersectionObserver {
        constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          super((entries, observer) => setTimeout(callback, 3_000, entries, observer), options);
        }
      };
    });
    await page.reload();
    await ask(page, 'A long one?');
    const sentences = answers(page).getByText('A sentence of the answer.');
    const distanceToEnd = () =>
      page.evaluate(() => document.body.scrollHeight - window.scrollY - window.innerHeight);
    await answer.write('A sentence of the answer.\n\n'.repeat(30));
    await sentences.nth(29).waitFor();
    await expect.poll(distanceToEnd).toBeLessThan(120);
    await answer.write('A sentence of the answer.\n\n'.repeat(10));
    await sentences.nth(39).waitFor();
    await expect.poll(distanceToEnd).toBeLessThan(120);
    const position = await page.evaluate(() => {
      window.scrollBy(0, -500);
      return window.scrollY;
    });
    await answer.write('The last sentence.\n\n');
    await answers(page).getByText('The last sentence.').waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(position);
    await answer.end();
  });

  it('A formula in an answer is typeset, a price stays as it is, and nothing is loaded from elsewhere', async () => {
    provider.now(() => ({
      text: 'Energy is $E=mc^2$, and\n\n$$\n\\int_0^1 x\\,dx = \\frac{1}{2}\n$$\n\nIt costs $5 to $10. A root: $\\sqrt{\\vec{x}}$. A mistake: $\\frac{$',
    }));
    const page = await openChat();
    await ask(page, 'What is energy?');
    const formulas = answers(page).locator('math');
    await expect.poll(() => formulas.count()).toBe(3);
    expect(
      await page
        .locator('.katex svg')
        .first()
        .evaluate((svg) => svg.style.width),
    ).toMatch(/em$/);
    expect(await formulas.first().locator('annotation').textContent()).toBe('E=mc^2');
    await answers(page).getByText('It costs $5 to $10.').waitFor();
    await answers(page).getByText('\\frac{').last().waitFor();
    // Its style sheet and its fonts are there.
    const isShown = () =>
      page.evaluate(
        async () =>
          getComputedStyle(
            document.querySelector('.katex .mathnormal') ?? document.body,
          ).fontFamily.includes('KaTeX_Math') &&
          (await document.fonts.load('1em KaTeX_Math')).length > 0,
      );
    await expect.poll(isShown).toBe(true);
    await expectAccessibleInBoth(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessibleInBoth(page);
  });

  it('Links in an answer lead to other sites or to mail, never into the console', async () => {
    provider.now(() => ({
      text: [
        '[other](https://site.example/x) [mail](mailto:ada@site.example)',
        '[a](javascript:alert(1)) [b](data:text/html,x) [c](//site.example) [d](/auth)',
        '[e](http:auth) [f](http:/auth) [g](HTTP:auth) ![h](http:/auth)',
        '',
        'The end.',
      ].join(' \n'),
    }));
    const page = await openChat();
    await ask(page, 'Which links?');
    await answered(page, 'The end.');
    const links = answers(page).getByRole('link');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'https://site.example/x',
      'mailto:ada@site.example',
    ]);
  });

  it('An interrupted stream continues after the last event that has arrived', async () => {
    const answer = writtenByTest();
    const page = await openChat();
    const afters: unknown[] = [];
    await page.route('**/graphql', (route) => {
      const { query, variables } = JSON.parse(route.request().postData() ?? '{}');
      if (!query?.startsWith('subscription')) return route.continue();
      afters.push(variables.after);
      if (afters.length > 1) return route.continue();
      const event = { __typename: 'StepEvent', sequence: 1, number: 1, attempt: 1 };
      return route.fulfill({
        contentType: 'text/event-stream',
        body: `event: next\ndata: ${JSON.stringify({ data: { runEvents: event } })}\n\n`,
      });
    });
    await ask(page, 'Is the line good?');
    await expect.poll(() => afters.length).toBe(2);
    await answer.write('It is good again.');
    await answer.end();
    await answered(page, 'It is good again.');
    expect(afters).toEqual([0, 1]);
  });

  it('Without a connection the conversation stays on the page, and goes on as soon as there is one', async () => {
    const answer = writtenByTest();
    const page = await openChat();
    await ask(page, 'Where are we?');
    await inConversation(page);
    await answer.write('In a tunnel, ');
    await answers(page).getByText('In a tunnel,').waitFor();
    // While an answer is written, the stored conversation is read again and again.
    const failed = page.waitForEvent('requestfailed');
    await page.context().setOffline(true);
    await failed;
    await drawn(page);
    expect(await answers(page).getByText('In a tunnel,').count()).toBe(1);
    await page.context().setOffline(false);
    await answer.write('and out of it.');
    await answer.end();
    await answered(page, 'In a tunnel, and out of it.');

    // A conversation that cannot be read yet is read by itself later.
    const other = await openChat();
    await other.context().setOffline(true);
    await rail(other).getByRole('link', { name: 'Where are we?' }).click();
    await other.getByRole('alert').getByText('Atrium cannot be reached').waitFor();
    await other.context().setOffline(false);
    await answered(other, 'In a tunnel, and out of it.');
  });

  it('"New chat" loses nothing: conversations are listed by day, found by the words of an answer, and opened again', async () => {
    const page = await openChat();
    provider.now(() => ({ text: 'The heron nests in March.' }));
    await ask(page, 'When does it nest?');
    await inConversation(page);
    await answered(page, 'The heron nests in March.');
    await rail(page).getByRole('link', { name: 'New chat' }).click();
    await page.getByText('Ask Handbook', { exact: true }).waitFor();
    await expect.poll(() => answers(page).count()).toBe(0);
    await rail(page).getByRole('heading', { name: 'Today' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('heron nests');
    await expect.poll(() => rail(page).getByRole('listitem').count()).toBe(1);
    await rail(page).getByRole('link', { name: 'When does it nest?' }).click();
    await answered(page, 'The heron nests in March.');
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('');
    await expectAccessibleInBoth(page);
    await page.goBack();
    await page.getByText('Ask Handbook', { exact: true }).waitFor();
  });

  it('A conversation is renamed, pinned and deleted by keyboard alone', async () => {
    const page = await openChat();
    await ask(page, 'Who takes notes?');
    await inConversation(page);
    await answered(page, 'Answer to Who takes notes?');
    const choose = async (conversation: string, action: string) => {
      await rail(page)
        .getByRole('button', { name: `Options for ${conversation}` })
        .focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: action, exact: true }).press('Enter');
    };
    await choose('Who takes notes?', 'Rename');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Notes');
    await page.keyboard.press('Enter');
    await rail(page).getByRole('link', { name: 'Notes', exact: true }).waitFor();
    await choose('Notes', 'Pin');
    await rail(page).getByRole('heading', { name: 'Pinned' }).waitFor();
    await page.reload();
    await rail(page).getByRole('heading', { name: 'Pinned' }).waitFor();
    await choose('Notes', 'Delete');
    await expectAccessibleInBoth(page);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Delete', exact: true })
      .press('Enter');
    await page.getByText('Ask Handbook', { exact: true }).waitFor();
    await expect.poll(() => rail(page).getByRole('link', { name: 'Notes' }).count()).toBe(0);
    const { data } = await ada.graph('{ conversations(search: "Notes") { totalCount } }');
    expect(data).toEqual({ conversations: { totalCount: 0 } });
  });

  it('An edited question and a repeated one are branches that can be chosen, and the next question follows the chosen one', async () => {
    const page = await openChat();
    await ask(page, 'One?');
    await inConversation(page);
    await answered(page, 'Answer to One?');
    await page.getByRole('button', { name: 'Edit the question' }).click();
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill('Two?');
    await page.getByRole('button', { name: 'Send' }).first().click();
    await answered(page, 'Answer to Two?');
    await page.getByText('2/2').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('3/3').waitFor();
    await answered(page, 'Answer to Two?');
    await page.getByRole('button', { name: 'Previous version' }).click();
    await page.getByRole('button', { name: 'Previous version' }).click();
    await page.getByText('1/3').waitFor();
    await answered(page, 'Answer to One?');
    await expectAccessibleInBoth(page);
    await ask(page, 'And then?');
    await answered(page, 'Answer to And then?');
    expect(
      provider.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ content }) => content),
    ).toEqual(['One?', 'And then?']);
    await page.reload();
    await page.getByText('1/3').waitFor();
    await answered(page, 'Answer to And then?');
  });

  it('The focus follows by keyboard: after the button that sends, a cancelled change, and a step to another version', async () => {
    const page = await openChat();
    const focused = page.locator(':focus');
    await input(page).fill('One?');
    await page.getByRole('button', { name: 'Send' }).focus();
    await page.keyboard.press('Enter');
    await answered(page, 'Answer to One?');
    expect(await input(page).evaluate((area) => area === document.activeElement)).toBe(true);

    await page.getByRole('button', { name: 'Edit the question' }).focus();
    for (const key of ['Escape', 'Enter']) {
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Question', exact: true }).waitFor();
      if (key === 'Enter') await page.getByRole('button', { name: 'Cancel' }).focus();
      await page.keyboard.press(key);
      await page.getByRole('textbox', { name: 'Question', exact: true }).waitFor({
        state: 'detached',
      });
      expect(await focused.textContent()).toBe('Edit the question');
    }
    await page.keyboard.press('Enter');
    await page.keyboard.type(' Or two?');
    await page.getByRole('button', { name: 'Send' }).first().click();
    await answered(page, 'Answer to One? Or two?');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('3/3').waitFor();
    await answered(page, 'Answer to One? Or two?');

    await page.getByRole('button', { name: 'Previous version' }).focus();
    for (const version of ['2/3', '1/3']) {
      await page.keyboard.press('Enter');
      await page.getByText(version).waitFor();
    }
    // The first version has none before it.
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Next version');
    await page.keyboard.press('Enter');
    await page.getByText('2/3').waitFor();
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Next version');
  });

  it('Screen readers hear an answer as it is shown, without the signs of its Markdown', async () => {
    provider.now(() => ({
      text: '## Sum\n\nIt is **28 euro**, $a^2$.\n\n| Land | Sum |\n|---|---|\n| DE | 28 |\n\n```js\nlet x;\n```',
    }));
    const page = await openChat();
    // The text of a formula changes as soon as it is typeset.
    await ask(page, 'How much?');
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    const region = page.getByRole('region', { name: 'Chat with Handbook' }).getByRole('status');
    await expect
      .poll(() => region.textContent())
      .toMatch(/^Sum It is 28 euro, \S+\. Land Sum DE 28 let x;$/);
  });

  it('Escape stops an answer and its model, what was written stays, and the next question waits for the end of an answer', async () => {
    const answer = writtenByTest();
    const page = await openChat();
    await ask(page, 'Tell me everything.');
    await answer.write('To begin with, ');
    await answers(page).getByText('To begin with,').waitFor();
    await page.keyboard.press('Escape');
    await answers(page).getByText('Stopped', { exact: true }).waitFor();
    await expect.poll(provider.abandonedCount).toBeGreaterThan(0);
    await page.reload();
    await answers(page).getByText('Stopped', { exact: true }).waitFor();

    const slow = writtenByTest();
    await ask(page, 'A slow one?');
    await slow.write('Slowly, ');
    await answers(page).getByText('Slowly,').waitFor();
    await ask(page, 'A second one?');
    await page.getByText('Next:').waitFor();
    await slow.write('done.');
    provider.now(() => ({ text: 'The second answer.' }));
    await slow.end();
    await answered(page, 'The second answer.');
    await expect.poll(() => page.getByText('Next:').count()).toBe(0);
  });

  it('A queued question is never lost: it goes to the next assistant, and otherwise becomes a draft again', async () => {
    const travel = await assistantOf(ada, { name: 'Travel' });
    const slow = writtenByTest();
    const page = await openChat();
    const question = page.getByRole('textbox', { name: 'Your question', exact: true });
    const attached = page.getByRole('list', { name: 'Attached files' }).getByText('plan.txt (');
    await ask(page, 'A slow one?');
    await slow.write('Slowly, ');
    await answers(page).getByText('Slowly,').waitFor();
    const { pathname } = new URL(page.url());
    await page.getByLabel('Files to attach').setInputFiles({
      ...{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Plan') },
    });
    await ask(page, 'A second one?');
    await page.getByText('Next:').waitFor();
    await question.fill('And a third');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await expect.poll(() => question.inputValue()).toBe('A second one?\n\nAnd a third');
    await attached.waitFor();

    // Another page, and back.
    await question.press('Enter');
    await page.getByText('Next:').waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('Recent conversations').waitFor();
    await page.goBack();
    await page.waitForURL((url) => url.pathname === pathname);
    await expect.poll(() => question.inputValue()).toBe('A second one?\n\nAnd a third');

    await page.getByLabel('Files to attach').setInputFiles({
      ...{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Plan') },
    });
    await question.press('Enter');
    await page.getByText('Next:').waitFor();
    await chooseByTyping(page, 'Assistant', { text: 'Travel' });
    await page.waitForURL(`**/assistants/${travel}`);
    await expect.poll(() => question.inputValue()).toBe('A second one?\n\nAnd a third');
    await attached.waitFor();
    await slow.end();
    await page.goBack();
    await answered(page, 'Slowly,');
    expect(await question.inputValue()).toBe('');
    expect(await page.getByText('A second one?').count()).toBe(0);
  });

  it('A conversation is shared by a link that colleagues read, until it is removed, and strangers never', async () => {
    const page = await openChat();
    await ask(page, 'May I share this?');
    await inConversation(page);
    await answered(page, 'Answer to May I share this?');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.getByLabel('Link', { exact: true }).textContent()) ?? '';
    const path = new URL(link).pathname;
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Done' }).click();

    const reader = await site.page({ as: emil.id });
    await reader.goto(site.origin + path);
    await reader.getByRole('heading', { level: 1, name: 'May I share this?' }).waitFor();
    await answers(reader).getByText('Answer to May I share this?').waitFor();
    await expectAccessibleInBoth(reader);
    const { administratorId } = await site.app.organization();
    const stranger = await site.page({ as: administratorId });
    await stranger.goto(site.origin + path);
    await stranger.getByText('This link does not work').waitFor();

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the link' }).click();
    await page.getByText('The link was removed.').waitFor();
    await reader.reload();
    await reader.getByText('This link does not work').waitFor();
    await expectAccessibleInBoth(reader);
  });

  it('A conversation is exported as text and as JSON', async () => {
    const page = await openChat();
    await ask(page, 'May I keep this?');
    await inConversation(page);
    await answered(page, 'Answer to May I keep this?');
    for (const [label, ending] of [
      ['Export as text', /\.md$/],
      ['Export as JSON', /\.json$/],
    ] as const) {
      await page.getByRole('button', { name: 'Export the conversation' }).click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: label }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(ending);
      expect(readFileSync(await download.path(), 'utf8')).toContain('Answer to May I keep this?');
    }
  });

  it('A refused question goes back to the input, and a draft survives a reload', async () => {
    const page = await openChat();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('startRun') ? route.abort() : route.continue(),
    );
    await ask(page, 'Is anybody there?');
    await page.getByRole('alert').getByText('Atrium cannot be reached').waitFor();
    expect(await input(page).inputValue()).toBe('Is anybody there?');
    await page.reload();
    await expect.poll(() => input(page).inputValue()).toBe('Is anybody there?');
    await page.unroute('**/graphql');
    await input(page).press('Enter');
    await answered(page, 'Answer to Is anybody there?');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  it('Several files are attached by the picker, by pasting and by dropping, and one that cannot be read is removed', async () => {
    provider.now(() => ({ text: 'I have read them.' }));
    const page = await openChat();
    const attached = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await page
      .getByLabel('Files to attach')
      .setInputFiles([file('one.txt', 'One.'), file('broken.txt', 'unreadable')]);
    for (const [target, event, name] of [
      [input(page), 'paste', 'two.txt'],
      [page.locator('body'), 'drop', 'three.txt'],
    ] as const) {
      const transfer = await page.evaluateHandle((fileName) => {
        const data = new DataTransfer();
        data.items.add(new File([fileName], fileName, { type: 'text/plain' }));
        return data;
      }, name);
      const key = event === 'paste' ? 'clipboardData' : 'dataTransfer';
      await target.evaluate(
        (element, [type, data, field]) => {
          const init = { bubbles: true, cancelable: true, [field]: data };
          element.dispatchEvent(
            type === 'paste' ? new ClipboardEvent(type, init) : new DragEvent(type, init),
          );
        },
        [event, transfer, key] as const,
      );
      await attached.filter({ hasText: name }).waitFor();
    }
    await expect.poll(() => attached.count()).toBe(4);
    await expectAccessibleInBoth(page);
    await ask(page, 'What is in them?');
    await page.getByRole('alert').getByText('broken.txt: ').waitFor();
    await page.getByText('The file was removed from your question.').waitFor();
    await expect.poll(() => attached.count()).toBe(3);
    expect(await input(page).inputValue()).toBe('What is in them?');
    await input(page).press('Enter');
    await answered(page, 'I have read them.');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    const question = page.getByRole('article', { name: 'You' });
    for (const name of ['one.txt', 'two.txt', 'three.txt'])
      await question.getByRole('link', { name }).waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('2/2').waitFor();
    await answered(page, 'I have read them.');
    await expect.poll(() => question.getByRole('link').count()).toBe(3);
  });

  it('An answer that failed says why, also after a reload', async () => {
    provider.now(() => (response) => response.writeHead(400).end('secret reason'));
    const page = await openChat();
    await ask(page, 'Does it work?');
    await inConversation(page);
    const message = page.getByRole('alert').getByText('The model provider refused the request');
    await message.waitFor();
    await page.reload();
    await message.waitFor();
    await expectAccessibleInBoth(page);
  });

  it('On a phone the conversations open as a dialog, and the chat fits', async () => {
    const page = await openChat(emil, { width: 360, height: 740 });
    await ask(page, 'Does it fit?');
    await inConversation(page);
    await answered(page, 'Answer to Does it fit?');
    await expectAccessibleInBoth(page);
    // The actions stand beside the name.
    const middles = await Promise.all(
      ['Assistant', 'Conversations', 'Share', 'Export the conversation'].map(async (name) => {
        const role = name === 'Assistant' ? 'combobox' : 'button';
        const box = await page.getByRole(role, { name, exact: true }).boundingBox();
        return (box?.y ?? Number.NaN) + (box?.height ?? 0) / 2;
      }),
    );
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(10);
    await page.getByRole('button', { name: 'Conversations' }).click();
    await rail(page).getByRole('link', { name: 'Does it fit?' }).waitFor();
    await expectAccessibleInBoth(page);
    await rail(page).getByRole('link', { name: 'New chat' }).click();
    await page.getByText('Ask Handbook', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('A conversation with an assistant that is no longer shared stays readable', async () => {
    const page = await openChat(emil);
    await ask(page, 'Will it stay?');
    await inConversation(page);
    await answered(page, 'Answer to Will it stay?');
    await ada.graph(
      'mutation ($id: ID!, $userId: ID!) { unshareAssistant(input: { assistantId: $id, userId: $userId }) { assistantId } }',
      { id: handbook, userId: emil.id },
    );
    await page.reload();
    await page.getByText('You can still read the conversation').waitFor();
    await page.getByText('Answer to Will it stay?').waitFor();
    await expect.poll(() => input(page).count()).toBe(0);
    await expectAccessibleInBoth(page);
  });

  it('In an organization that keeps no conversations people can still ask, and the page says what came before', async () => {
    const organization = await site.app.organization();
    const person = await personIn(site.app, organization);
    const assistant = await assistantOf(person, { name: 'Handbook' });
    await site.app.database.prisma.organization.update({
      where: { id: organization.id },
      data: { keepsConversations: false },
    });
    const page = await openChat(person, { assistant });
    await ask(page, 'First?');
    await answered(page, 'Answer to First?');
    await ask(page, 'Second?');
    await answered(page, 'Answer to Second?');
    expect(
      provider.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ content }) => content),
    ).toEqual(['First?', 'Second?']);
    await rail(page).getByText('Your conversations appear here.').waitFor();
  });
});
