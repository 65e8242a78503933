import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { createApp } from '../../src/app.ts';
import { seed } from '../../src/modules/demo/seed.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createErrorLog } from '../../src/platform/log.ts';
import { testDatabase } from '../support/database.ts';

// `npm run screenshots`: the pictures of the README, from the real pages in a real browser.
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

async function main(): Promise<void> {
  const env = readEnv({ NODE_ENV: 'test', DATA_DIR: ':memory:', LOG_LEVEL: 'warn' });
  const database = await testDatabase();
  const app = await createApp({ env, database, log: createErrorLog(env) });
  const { organizations } = await seed({ database, clock: systemClock, files: app.services.files });
  const key = organizations[0]?.organizationKey ?? '';
  const server = createServer(app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  try {
    const origin = `http://127.0.0.1:${port}`;
    await shoot(browser, `${origin}/api/docs#ListUsers`, 'reference');
    await shootGraphiql(browser, origin, key);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.close();
    await database.close();
  }
}

async function pageOf(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', deviceScaleFactor: 1 });
  return context.newPage();
}

const fileOf = (name: string) => new URL(`./${name}.png`, import.meta.url).pathname;

async function shoot(browser: Browser, address: string, name: string): Promise<void> {
  const page = await pageOf(browser);
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.screenshot({ path: fileOf(name) });
}

async function shootGraphiql(browser: Browser, origin: string, key: string): Promise<void> {
  const page = await pageOf(browser);
  const query = 'query WhatCanBeAsked { organization { name memberCount } teams { name memberCount users(pageSize: 2) { total items { email isAdmin } } } }';
  await page.route('**/graphql', (route) => route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${key}` } }));
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

await main();
