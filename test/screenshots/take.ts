import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createApp } from '../../src/app.ts';
import { seed } from '../../src/modules/demo/seed.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createErrorLog } from '../../src/platform/log.ts';
import { testDatabase } from '../support/database.ts';
import { startVaultServers } from '../support/vault-servers.ts';
import { pagesOf, type ScreenshotPage } from './pages.ts';

// `npm run screenshots` captures every page of the console in light, in dark and on a phone into
// pages/, and the pictures of the README beside this file.
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const variants = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', deviceScaleFactor: 2 },
} satisfies Record<string, BrowserContextOptions>;

async function main(names: readonly string[]): Promise<void> {
  const env = readEnv({
    NODE_ENV: 'test',
    DATA_DIR: ':memory:',
    LOG_LEVEL: 'warn',
    USER_KEY_LIMIT: '100000',
    ANONYMOUS_LIMIT: '100000',
  });
  const database = await testDatabase();
  const vault = await startVaultServers({ yaml: 'logging:\n  system_monitoring_interval: 1' });
  const app = await createApp({ env, database, log: createErrorLog(env), vault: vault.client });
  const { organizations } = await seed({ database, clock: systemClock, files: app.services.files });
  app.startProcessing();
  while (
    await database.prisma.assistantFile.findFirst({
      where: { status: { in: ['PENDING', 'PROCESSING'] } },
      select: { id: true },
    })
  )
    await wait(200);
  const server = createServer(app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  const origin = `http://127.0.0.1:${port}`;
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const [partner] = organizations;
    if (!partner) throw new Error('The seed made no organization');
    const cookies = await signIn(origin, partner.users[0]);
    const invitation = await invite(origin, cookies);
    const screenshotPages = await pagesOf({ database, partner, invitation });
    mkdirSync(folder, { recursive: true });
    for (const screenshotPage of screenshotPages.filter(
      ({ name }) => names.length === 0 || names.includes(name),
    )) {
      for (const [variant, options] of Object.entries(variants)) {
        const page = await openPage(browser, options, screenshotPage.signedOut ? [] : cookies);
        await capture(page, origin, screenshotPage, variant);
        await page.context().close();
      }
    }
    const isWanted = (name: string) => names.length === 0 || names.includes(name);
    if (isWanted('reference')) {
      const page = await openPage(browser, variants.light, []);
      await page.goto(`${origin}/api/docs#ListUsers`);
      await page.locator('#ListUsers').waitFor();
      await page.screenshot({ path: fileOf('reference') });
    }
    if (isWanted('graphiql'))
      await captureGraphiql(
        await openPage(browser, variants.light, []),
        origin,
        partner.organizationKey,
      );
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
    await vault.close();
    await database.close();
  }
}

type SessionCookies = { name: string; value: string; url: string }[];

async function signIn(
  origin: string,
  person: { email: string; password: string } | undefined,
): Promise<SessionCookies> {
  const { headers, status } = await fetch(`${origin}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: person?.email, password: person?.password }),
  });
  if (status !== 200) throw new Error(`signing in answered ${status}`);
  return headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: origin };
  });
}

/** Creates an invitation in this session and returns the path of its link. */
async function invite(origin: string, cookies: SessionCookies): Promise<string> {
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    body: JSON.stringify({
      query:
        'mutation { inviteMember(input: { email: "nina@partner.example", role: MEMBER }) { link } }',
    }),
  });
  const { data } = (await answer.json()) as { data: { inviteMember: { link: string } } };
  return data.inviteMember.link.replace(origin, '');
}

async function openPage(
  browser: Browser,
  options: BrowserContextOptions,
  cookies: SessionCookies,
): Promise<Page> {
  const context = await browser.newContext({
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...options,
  });
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  return page;
}

const folder = new URL('./pages/', import.meta.url).pathname;
const fileOf = (name: string) => new URL(`./${name}.png`, import.meta.url).pathname;

async function capture(
  page: Page,
  origin: string,
  { name, path, prepare, readme }: ScreenshotPage,
  variant: string,
): Promise<void> {
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await prepare?.(page);
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  // Charts are drawn after their data has arrived.
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}${name}-${variant}.png`, fullPage: variant !== 'phone' });
  if (readme === variant) await page.screenshot({ path: fileOf(name) });
  process.stdout.write(`${name} ${variant}\n`);
}

async function captureGraphiql(page: Page, origin: string, key: string): Promise<void> {
  const query =
    'query Example { organization { name memberCount } teams { nodes { name memberCount users(pageSize: 2) { totalCount nodes { email isAdmin } } } } }';
  await page.route('**/graphql', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${key}` } }),
  );
  await page.goto(`${origin}/graphql`);
  const editor = page.locator('.graphiql-editor').first();
  await editor.getByText('AvailableOperations').waitFor();
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(query);
  // The editor reports its content to the page shortly after the last key.
  await page.waitForTimeout(1_000);
  await page.getByRole('button', { name: /prettify/i }).click();
  await page.waitForTimeout(1_000);
  await page.getByRole('button', { name: /^execute query/i }).click();
  await page.waitForFunction(() =>
    document.querySelector('.graphiql-response')?.textContent?.includes('memberCount'),
  );
  await page.screenshot({ path: fileOf('graphiql') });
}

await main(process.argv.slice(2));
