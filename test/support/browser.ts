import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { describe, expect, onTestFailed, TestRunner } from 'vitest';
import { type TestApp, testApp } from './app.ts';
import { buildConsole } from './process.ts';
import { signIn } from './sign-in.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Why there is no browser; undefined if there is one. */
export const missingBrowser = existsSync(executablePath)
  ? undefined
  : `there is no browser at ${executablePath}; set CHROMIUM to another path`;

/** For tests that need a browser. Without one they are skipped, which is reported. */
export const describeInBrowser = describe.skipIf(missingBrowser !== undefined);
if (missingBrowser)
  process.stderr.write(`Skipped: tests that need a browser, because ${missingBrowser}.\n`);

const launchOptions = {
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

type PageOptions = {
  /** The id of the signed-in user; absent: not signed in. */
  as?: string;
  /**
   * Whether the page has the session of the user's page before it. Someone may sign in only a few
   * times in a minute.
   */
  reusesSession?: boolean;
  width?: number;
  height?: number;
  dark?: boolean;
  /** The language that the browser prefers. */
  locale?: string;
  /** Whether the page is on a phone, which is used by touch. */
  touch?: boolean;
};

/** Adds to the error of a failed test what the page shows and which requests have no answer yet. */
function reportOnFailure(page: Page): void {
  const unanswered = new Set<string>();
  page.on('request', (request) => unanswered.add(request.url()));
  const isOver = (request: Request) => unanswered.delete(request.url());
  page.on('requestfinished', isOver);
  page.on('requestfailed', isOver);
  onTestFailed(async ({ task }) => {
    const error = task.result?.errors?.[0];
    if (!error || page.isClosed()) return;
    const text = await page.innerText('body', { timeout: 2_000 }).catch(() => 'no text');
    error.message += [
      '',
      `The page ${page.url()} shows: ${text.replaceAll(/\s+/g, ' ').slice(0, 1_000)}`,
      `Requests without an answer: ${[...unanswered].join(', ') || 'none'}`,
    ].join('\n');
  });
}

/** Opens a browser for an application and records faults of every page. */
export async function openBrowser(origin: string) {
  const browser: Browser = await chromium.launch(launchOptions);
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    /** Faults of any page: errors, blocked styles or scripts, requests to other hosts. */
    faults,
    async page({
      width = 1280,
      height = 900,
      dark = false,
      locale = 'en-GB',
      touch = false,
      cookies = [],
    }: Omit<PageOptions, 'as' | 'reusesSession'> & {
      cookies?: { name: string; value: string }[];
    } = {}): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width, height },
        hasTouch: touch,
        isMobile: touch,
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        locale,
        timezoneId: 'UTC',
      });
      contexts.push(context);
      await context.addCookies(
        cookies.map((cookie) => ({
          ...cookie,
          url: origin,
          httpOnly: true,
          sameSite: 'Lax' as const,
        })),
      );
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      // Proofs and benches open pages as well. The name of the current test in the state of `expect`
      // can be that of an earlier file.
      if (process.env['VITEST'] && TestRunner.getCurrentTest()) reportOnFailure(page);
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      page.on('console', (message) => {
        // The page handles rejected requests itself; the browser's log line about them is not a
        // fault.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          faults.push(`console: ${message.text()}`);
      });
      page.on('request', (request) => {
        const { protocol, origin: requestOrigin } = new URL(request.url());
        if (!['data:', 'blob:'].includes(protocol) && requestOrigin !== origin)
          faults.push(`another host: ${request.url()}`);
      });
      return page;
    },
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
    },
  };
}

/**
 * Makes the page load each section only when it is opened, as in browsers that cannot tell when they
 * are idle.
 */
export const withoutIdleTime = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Reflect.deleteProperty(globalThis, 'requestIdleCallback'));

/** Resolves once the page has drawn what it knows. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** For tests that also send documents of their own, which the console does not. */
export const ownDocuments = { GRAPHQL_DOCUMENT_POLICY: 'allow' };

/** The real application with its built console on a port, and a browser. */
export async function openConsole(
  settings: Record<string, string> = {},
  parts: Parameters<typeof testApp>[1] = {},
  host = '127.0.0.1',
) {
  buildConsole();
  const app: TestApp = await testApp(
    {
      ...{ USER_KEY_LIMIT: '10000', ANONYMOUS_LIMIT: '10000' },
      // The console sends no document besides its own.
      GRAPHQL_DOCUMENT_POLICY: 'session=require,anonymous=require',
      ...settings,
    },
    parts,
  );
  const server = createServer(app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  const origin = `http://${host}:${port}`;
  const browser = await openBrowser(origin);
  const sessions = new Map<string, Awaited<ReturnType<typeof signIn>>>();
  return {
    app,
    origin,
    faults: browser.faults,
    async page({ as, reusesSession = false, ...options }: PageOptions = {}): Promise<Page> {
      const known = reusesSession ? sessions.get(as ?? '') : undefined;
      const session = as === undefined ? undefined : (known ?? (await signIn(app, as)));
      if (as !== undefined && session) sessions.set(as, session);
      const cookies = (session?.cookie.split('; ') ?? []).map((pair) => ({
        name: pair.slice(0, pair.indexOf('=')),
        value: pair.slice(pair.indexOf('=') + 1),
      }));
      return browser.page({ ...options, cookies });
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}

export type TestConsole = Awaited<ReturnType<typeof openConsole>>;

/** Chooses an option that is found by typing. */
export async function chooseByTyping(
  page: Page,
  label: string,
  { text, option = text }: { text: string; option?: string },
): Promise<void> {
  const input = page.getByRole('combobox', { name: label, exact: true });
  await input.click();
  await input.fill(text);
  await page
    .getByRole('listbox', { name: label, exact: true })
    .getByRole('option', { name: option })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
}

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that depend on the colour scheme. */
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;

async function seriousViolations(
  page: Page,
  runOnly: typeof allRules | typeof colourRules,
): Promise<string[]> {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  // The page's content security policy blocks injected scripts, but not evaluated ones.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    const { violations } = await Object(globalThis)['axe'].run(document, {
      runOnly: rules,
      resultTypes: ['violations'],
    });
    return violations.flatMap(
      ({
        id,
        impact,
        nodes,
      }: {
        id: string;
        impact: string;
        nodes: { html: string; failureSummary: string }[];
      }) =>
        ['serious', 'critical'].includes(impact)
          ? nodes.map(
              ({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`,
            )
          : [],
    );
  }, runOnly);
}

/**
 * The elements that make the page scroll horizontally. A table that does not fit after a change of
 * the width becomes cards with the next rendering, so the page has a second to fit.
 */
const overflowingElements = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { documentElement } = document;
    const endsAt = performance.now() + 1_000;
    while (documentElement.scrollWidth > documentElement.clientWidth && performance.now() < endsAt)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const { clientWidth, scrollWidth } = documentElement;
    if (scrollWidth <= clientWidth) return [];
    const tooWide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
    );
    return [
      `${scrollWidth - clientWidth} pixels`,
      ...tooWide.map((element) => element.outerHTML.slice(0, 150)),
    ].slice(0, 10);
  });

const controls = 'button|link|checkbox|radio|switch|textbox|searchbox|combobox|menuitem|tab|option';
const unnamed = new RegExp(`^- (?:${controls})\\b(?! ["/])`);
/** A name that begins with what separates it from something missing, or is only a number. */
const poorlyNamed = new RegExp(
  `^- (?:${controls}) "(?:\\W*"|[:,;·–-] |[^"]*\\b(?:row|Zeile) \\d+")`,
  'u',
);

/** The controls of the page that screen readers cannot tell from others by their name. */
export async function poorlyNamedControls(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => unnamed.test(line) || poorlyNamed.test(line));
}

/**
 * The serious accessibility violations of the page in its current state, and the elements that make
 * it scroll horizontally. In dark colours only the rules about colours are checked again.
 */
export async function accessibilityFaults(
  page: Page,
  colours: 'light' | 'dark',
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: colours });
  return colours === 'dark'
    ? seriousViolations(page, colourRules)
    : [...(await seriousViolations(page, allRules)), ...(await overflowingElements(page))];
}

/**
 * Expects no serious accessibility violation on the page in its current state (WCAG 2.2 A and AA),
 * and no horizontal scrolling.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousViolations(page, allRules)).toEqual([]);
  expect(await overflowingElements(page), 'elements beyond the right edge').toEqual([]);
}

/** Checks the page in light colours, and its colours again in dark mode. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await seriousViolations(page, colourRules)).toEqual([]);
}
