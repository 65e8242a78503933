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
import { vaultParts } from '../support/vault-parts.ts';
import { pagesOf, type Scene } from './pages.ts';

// `npm run screenshots`: every page of the console in light, in dark and on a phone into pages/,
// and the pictures of the README beside this file.
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const looks = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', deviceScaleFactor: 2 },
} satisfies Record<string, BrowserContextOptions>;

async function main(wanted: readonly string[]): Promise<void> {
  const env = readEnv({
    NODE_ENV: 'test',
    DATA_DIR: ':memory:',
    LOG_LEVEL: 'warn',
    USER_KEY_LIMIT: '100000',
    ANONYMOUS_LIMIT: '100000',
  });
  const database = await testDatabase();
  const vault = await vaultParts({ yaml: 'logging:\n  system_monitoring_interval: 1' });
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
    const cookies = await signedIn(origin, partner.users[0]);
    const invitation = await invite(origin, cookies);
    const scenes = await pagesOf({ database, partner, invitation });
    mkdirSync(folder, { recursive: true });
    for (const scene of scenes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      for (const [look, options] of Object.entries(looks)) {
        const page = await openPage(browser, options, scene.signedOut ? [] : cookies);
        await shoot(page, origin, scene, look);
        await page.context().close();
      }
    }
    if (wanted.length === 0) {
      const page = await openPage(browser, looks.light, []);
      await page.goto(`${origin}/api/docs#ListUsers`, { waitUntil: 'networkidle' });
      await page.screenshot({ path: fileOf('reference') });
      await shootGraphiql(
        await openPage(browser, looks.light, []),
        origin,
        partner.organizationKey,
      );
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
    await vault.close();
    await database.close();
  }
}

type Cookies = { name: string; value: string; url: string }[];

async function signedIn(
  origin: string,
  person: { email: string; password: string } | undefined,
): Promise<Cookies> {
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

/** The page that an invitation by the person with these cookies leads to. */
async function invite(origin: string, cookies: Cookies): Promise<string> {
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    body: JSON.stringify({
      query: 'mutation { inviteMember(email: "nina@partner.example", role: MEMBER) { link } }',
    }),
  });
  const { data } = (await answer.json()) as { data: { inviteMember: { link: string } } };
  return data.inviteMember.link.replace(origin, '');
}

async function openPage(
  browser: Browser,
  options: BrowserContextOptions,
  cookies: Cookies,
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

async function shoot(
  page: Page,
  origin: string,
  { name, path, act, readme }: Scene,
  look: string,
): Promise<void> {
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await act?.(page);
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  // Charts draw themselves after their figures are there.
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}${name}-${look}.png`, fullPage: look !== 'phone' });
  if (readme === look) await page.screenshot({ path: fileOf(name) });
  process.stdout.write(`${name} ${look}\n`);
}

async function shootGraphiql(page: Page, origin: string, key: string): Promise<void> {
  const query =
    'query WhatCanBeAsked { organization { name memberCount } teams { name memberCount users(pageSize: 2) { total items { email isAdmin } } } }';
  await page.route('**/graphql', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${key}` } }),
  );
  await page.goto(`${origin}/graphql`, { waitUntil: 'networkidle' });
  await page.locator('.graphiql-editor').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(query);
  // The editor tells the page what it holds a moment after the last key.
  await page.waitForTimeout(1_000);
  await page.getByRole('button', { name: /prettify/i }).click();
  await page.waitForTimeout(1_000);
  await page.locator('.graphiql-execute-button').click();
  await page.waitForTimeout(3_000);
  await page.screenshot({ path: fileOf('graphiql') });
}

await main(process.argv.slice(2));
