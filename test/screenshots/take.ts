import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { type DemoConsole, openDemoConsole, showPage } from '../support/demo-console.ts';
import type { DemoPage } from '../support/demo-pages.ts';
import { openComparison } from './compare.ts';

// `npm run screenshots` captures every page of the console in four looks into references/, and the
// pictures of the documentation beside this file; names of pages capture only these.
// `npm run screenshots -- --compare` compares the pages with the references and writes those that
// differ into changed/.
const looks = {
  light: { width: 1280, height: 800, dark: false, touch: false },
  dark: { width: 1280, height: 800, dark: true, touch: false },
  phone: { width: 390, height: 844, dark: false, touch: true },
  'dark-phone': { width: 390, height: 844, dark: true, touch: true },
};
type Look = keyof typeof looks;

const documented: Record<string, Look> = { chat: 'light', sponsored: 'light', sponsorship: 'dark' };
// Dates and ages are those of this moment in every screenshot.
const now = new Date('2026-06-17T09:30:00Z');
let millisecondsPassed = 0;
/** Two times are never equal, so that lists have the same order in every screenshot. */
function clock(): Date {
  millisecondsPassed += 1;
  return new Date(now.getTime() + millisecondsPassed);
}
const heightMax = 2_400;

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'boolean', default: false } },
});
const isWanted = (name: string) => names.length === 0 || names.includes(name);
const pathOf = (name: string) => new URL(`./${name}`, import.meta.url).pathname;

async function main(): Promise<void> {
  const site = await openDemoConsole({ clock });
  try {
    const changed = await captureAll(site);
    if (!options.compare) await captureForDocumentation(site);
    if (changed.length > 0) {
      process.stdout.write(`${changed.length} views differ from their references\n`);
      process.exitCode = 1;
    }
  } finally {
    await site.close();
  }
}

async function captureAll(site: DemoConsole): Promise<string[]> {
  const comparison = await openComparison(await site.page({ signedOut: true }));
  mkdirSync(pathOf(options.compare ? 'changed' : 'references'), { recursive: true });
  const changed: string[] = [];
  for (const demoPage of site.pages.filter(({ name }) => isWanted(name))) {
    for (const look of Object.keys(looks) as Look[]) {
      const name = `${demoPage.name}-${look}.jpg`;
      const page = await open(site, demoPage, look);
      const screenshot = await capture(page);
      if (!options.compare) {
        if (documented[demoPage.name] === look)
          await page.screenshot({ path: pathOf(`${demoPage.name}.png`) });
        writeFileSync(pathOf(`references/${name}`), screenshot);
        process.stdout.write(`${name}\n`);
      } else {
        const difference = await comparison.differenceOf(
          readFileSync(pathOf(`references/${name}`)),
          screenshot,
          demoPage,
        );
        if (difference) {
          writeFileSync(pathOf(`changed/${name}`), screenshot);
          changed.push(name);
          process.stdout.write(`${name}: ${difference}\n`);
        }
      }
      await page.context().close();
    }
  }
  return changed;
}

async function open(site: DemoConsole, demoPage: DemoPage, look: Look): Promise<Page> {
  const { signedOut = false } = demoPage;
  const page = await site.page({ signedOut, ...looks[look] });
  await page.clock.setFixedTime(now);
  page.setDefaultTimeout(120_000);
  await showPage(page, site.origin, demoPage);
  // Charts are drawn after their data has arrived.
  await page.waitForTimeout(400);
  return page;
}

/** Half as large as the page, which is enough for its layout and its colours. */
async function capture(page: Page): Promise<Buffer> {
  const { width, height } = await page.evaluate(() => {
    const { documentElement: root } = document;
    // The browser enlarges its window for the picture and must not scroll meanwhile: what sticks to
    // the window would be elsewhere.
    root.style.overflow = 'clip';
    return { width: root.clientWidth, height: root.scrollHeight };
  });
  const tools = await page.context().newCDPSession(page);
  const { data } = await tools.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: 70,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, heightMax), scale: 0.5 },
  });
  return Buffer.from(data, 'base64');
}

async function captureForDocumentation(site: DemoConsole): Promise<void> {
  const { dark, touch, ...size } = looks.light;
  if (isWanted('reference')) {
    const page = await site.page({ signedOut: true, dark, touch, ...size });
    await page.goto(`${site.origin}/api/docs#ListUsers`);
    await page.locator('#ListUsers').waitFor();
    await page.screenshot({ path: pathOf('reference.png') });
  }
  if (isWanted('graphiql'))
    await captureGraphiql(
      await site.page({ signedOut: true, dark, touch, ...size }),
      site.origin,
      site.partner.organizationKey,
    );
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
  await page.screenshot({ path: pathOf('graphiql.png') });
}

await main();
