import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type TestApp, testApp } from './app.ts';
import { signIn } from './sign-in.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser)
  process.stderr.write(
    `Left out: what needs a browser; there is none at ${executablePath}. CHROMIUM names another.\n`,
  );

/** Tests that need a browser; without one they are skipped, and the output says so. */
export const describeInBrowser = describe.skipIf(!hasBrowser);

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

type PageWanted = {
  /** The user who is signed in; absent: nobody. */
  as?: string;
  width?: number;
  height?: number;
  dark?: boolean;
};

/** A browser on an application; every page is watched for what no page may do. */
export async function openBrowser(origin: string) {
  const browser: Browser = await chromium.launch(launchOptions);
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    /** What went wrong in any page: errors, refused styles or scripts, requests to other hosts. */
    faults,
    async page({
      width = 1280,
      height = 900,
      dark = false,
      cookies = [],
    }: Omit<PageWanted, 'as'> & {
      cookies?: { name: string; value: string }[];
    } = {}): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        locale: 'en-GB',
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
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      page.on('console', (message) => {
        // A refused request is the page's to handle; the browser's line about it is no fault.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          faults.push(`console: ${message.text()}`);
      });
      page.on('request', (request) => {
        const { protocol, origin: asked } = new URL(request.url());
        if (!['data:', 'blob:'].includes(protocol) && asked !== origin)
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

/** The real application with its built console on a port, and a browser before it. */
export async function openConsole(
  settings: Record<string, string> = {},
  parts: Parameters<typeof testApp>[1] = {},
  host = '127.0.0.1',
) {
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('../../src/console/build.ts', import.meta.url))],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const app: TestApp = await testApp(
    { USER_KEY_LIMIT: '10000', ANONYMOUS_LIMIT: '10000', ...settings },
    parts,
  );
  const server = createServer(app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  const origin = `http://${host}:${port}`;
  const browser = await openBrowser(origin);
  return {
    app,
    origin,
    faults: browser.faults,
    async page({ as, ...wanted }: PageWanted = {}): Promise<Page> {
      const session = as === undefined ? undefined : await signIn(app, as);
      const cookies = (session?.cookie.split('; ') ?? []).map((pair) => ({
        name: pair.slice(0, pair.indexOf('=')),
        value: pair.slice(pair.indexOf('=') + 1),
      }));
      return browser.page({ ...wanted, cookies });
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

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What another set of colours can break. */
const rulesOfColour = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;

async function seriousFaultsOf(
  page: Page,
  runOnly: typeof everyRule | typeof rulesOfColour,
): Promise<string[]> {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  // The page's own policy refuses scripts that are written into it; what the tool evaluates is
  // beyond it.
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

/** Where the page can be moved sideways: what makes it too wide. */
const overhangingIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const beyond = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
    );
    return [
      `${scrollWidth - clientWidth} pixels`,
      ...beyond.map((element) => element.outerHTML.slice(0, 150)),
    ].slice(0, 10);
  });

/**
 * No serious fault of accessibility on the page as it is now (WCAG 2.2 A and AA), and nothing that
 * hangs over its edge.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousFaultsOf(page, everyRule)).toEqual([]);
  expect(await overhangingIn(page), 'what hangs over the right edge').toEqual([]);
}

/** Looks at the page in light, and once more at its colours in dark. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await seriousFaultsOf(page, rulesOfColour)).toEqual([]);
}
