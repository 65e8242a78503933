import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type ConsoleSize, fillConsole } from './fill-console.ts';
import { atLeast, below, type Goal } from './goals.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import { atriumScript, startServer } from './servers.ts';
import { median, percentile } from './statistics.ts';

// A phone of the middle class on 4G, as the developer tools of Chromium emulate them: processor
// four times slower than this machine, 9 Mbit/s, 165 ms until the first byte of an answer.
const slowdown = 4;
const network = {
  offline: false,
  latency: 165,
  downloadThroughput: (9_000_000 / 8) * 0.9,
  uploadThroughput: (1_500_000 / 8) * 0.9,
};
const phone = { width: 390, height: 844, touch: true };
const desktop = { width: 1280, height: 900 };
const firstContentMsMax = 1_000;
const interactionMsMax = 100;
const framesPerSecondMin = 60;
// The clock of the frames is not exact: 59.9 is 60.
const toleratedFrames = 0.5;
const scrollMs = 4_000;
// A list that grows on demand is scrolled with so many pages more.
const pagesShown = 10;

/**
 * Measures the console in a real browser: how soon a page shows something, how soon it reacts, and
 * how smoothly lists of an organization with much data scroll.
 */
export async function measureConsole(
  postgres: BenchServer,
  size: ConsoleSize,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<Goal[]> {
  const { url, run } = await postgres.createDatabase('console');
  const server = await startServer(atriumScript, { DATABASE_URL: url });
  const browser = await openBrowser(server.origin).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  try {
    const { cookies, libraryId } = await fillConsole(run, server.origin, size, seed);
    await untilIdle(run);
    const open = async (options: Partial<typeof phone>, isSignedIn = true) => {
      const page = await browser.page({ ...options, cookies: isSignedIn ? cookies : [] });
      const tools = await page.context().newCDPSession(page);
      await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      return { page, tools };
    };
    const goals = [
      await firstContent(
        'the sign-in page',
        rounds,
        () => open(phone, false),
        `${server.origin}/auth`,
      ),
      await firstContent('the start page', rounds, () => open(phone), `${server.origin}/`),
      await firstContent(
        'an assistant with its conversations',
        rounds,
        () => open(phone),
        `${server.origin}/assistants/${libraryId}`,
      ),
      await interactions(rounds, () => open(desktop), server.origin),
    ];
    for (const list of listsOf(libraryId, size))
      goals.push(await scrolling(list, () => open(desktop), server.origin));
    return goals;
  } finally {
    await browser.close();
    await server.stop();
  }
}

// Longer than the time between two sealings (10 s).
const idleChecks = 50;
const idleMsMax = 300_000;

/**
 * Waits until the server has done what so many new rows cause, such as the sealing of the audit log:
 * it takes the processors that the browser needs.
 */
async function untilIdle(run: BenchDatabase['run']): Promise<void> {
  const endsAt = performance.now() + idleMsMax;
  for (let idle = 0; idle < idleChecks && performance.now() < endsAt; ) {
    await pause(250);
    const [row] = await run(
      `select count(*)::int as busy from pg_stat_activity
       where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
    );
    idle = Object(row)['busy'] === 0 ? idle + 1 : 0;
  }
}

type OpenPage = () => Promise<{ page: Page; tools: CDPSession }>;

/** Where the list is scrolled; `more`: the button that shows its next page. */
type ListInConsole = { list: string; path: string; area: string; more?: RegExp };

const listsOf = (libraryId: string, size: ConsoleSize): ListInConsole[] => {
  const count = (number: number) => number.toLocaleString('en');
  return [
    {
      list: `${count(size.conversations)} conversations beside a chat`,
      path: `/assistants/${libraryId}`,
      area: 'nav ul',
      more: /show more/i,
    },
    { list: `${count(size.files)} files`, path: `/assistants/${libraryId}/files`, area: 'table' },
    { list: `${count(size.assistants)} assistants`, path: '/assistants', area: 'main' },
    {
      list: `${count(size.redemptions)} redemptions`,
      path: '/sponsorship/redemptions',
      area: 'table',
    },
  ];
};

/** The median of the first contentful paints, each in a browser without a cache. */
async function firstContent(
  name: string,
  rounds: number,
  open: OpenPage,
  url: string,
): Promise<Goal> {
  const paints: number[] = [];
  const blockedMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { page, tools } = await open();
    await tools.send('Network.enable');
    await tools.send('Network.emulateNetworkConditions', network);
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const trace = await page.evaluate(
      () =>
        new Promise<{ paint: number; blocked: number }>((resolve) => {
          const [paint] = performance.getEntriesByName('first-contentful-paint');
          new PerformanceObserver((list) => {
            const blocked = list
              .getEntries()
              .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
            resolve({ paint: paint?.startTime ?? Number.POSITIVE_INFINITY, blocked });
          }).observe({ type: 'longtask', buffered: true });
          setTimeout(
            () => resolve({ paint: paint?.startTime ?? Number.POSITIVE_INFINITY, blocked: 0 }),
            500,
          );
        }),
    );
    paints.push(trace.paint);
    blockedMs.push(trace.blocked);
    await page.context().close();
  }
  console.log(`  ${name}: blocked for ${Math.round(median(blockedMs))} ms by long tasks`);
  return below(firstContentMsMax, {
    figure: `first content of ${name} on a phone, median of ${rounds}`,
    value: Math.round(median(paints)),
    unit: 'ms',
  });
}

/** From an input to the next frame, as the browser's event timing reports it. */
async function interactions(rounds: number, open: OpenPage, origin: string): Promise<Goal> {
  const durations: { duration: number; name: string }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { page } = await open();
    await page.goto(origin);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.evaluate(() => {
      const recorded: number[] = [];
      Object.assign(globalThis, { recorded });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if (Object(entry).interactionId) recorded.push(entry.duration);
      }).observe({ type: 'event', durationThreshold: 16, buffered: false } as object);
    });
    const step = async (name: string, act: () => Promise<unknown>) => {
      await act();
      await page.waitForTimeout(400);
      const recorded: number[] = await page.evaluate(() =>
        Object(globalThis)['recorded'].splice(0),
      );
      durations.push(...recorded.map((duration) => ({ name, duration })));
    };
    const { keyboard } = page;
    await step('open a menu', () => page.getByRole('button', { name: /account menu$/ }).click());
    await step('close a menu', () => keyboard.press('Escape'));
    await step('open the palette', () => keyboard.press('Control+K'));
    for (const letter of 'library') await step('search the palette', () => keyboard.press(letter));
    // The first one empties the search, the second one closes the dialog.
    for (let index = 0; index < 2; index += 1)
      await step('close the palette', () => keyboard.press('Escape'));
    for (const section of ['Assistants', 'Sponsorship', 'Vault', 'Settings', 'Home'])
      await step(`go to ${section}`, () =>
        page.getByRole('link', { name: section, exact: true }).first().click(),
      );
    await step('go to a question', () => page.getByRole('textbox').first().click());
    for (const letter of 'how many days')
      await step('type a question', () => keyboard.press(letter));
    await page.context().close();
  }
  for (const name of new Set(durations.map((event) => event.name))) {
    const ofStep = durations.filter((event) => event.name === name);
    console.log(`  ${name}: ${Math.max(...ofStep.map(({ duration }) => duration))} ms at most`);
  }
  return below(interactionMsMax, {
    figure: `from an input to the next frame, p98 of ${durations.length} events over 16 ms`,
    value: percentile(
      durations.map(({ duration }) => duration),
      98,
    ),
    unit: 'ms',
  });
}

/** The frames in a second while a list is scrolled from its begin to its end and back. */
async function scrolling(
  { list, path, area, more }: ListInConsole,
  open: OpenPage,
  origin: string,
): Promise<Goal> {
  const { page } = await open();
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  for (let index = 0; more && index < pagesShown; index += 1)
    await page.getByRole('button', { name: more }).click();
  await page
    .locator(area)
    .last()
    .hover({ position: { x: 10, y: 10 } });
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { frameTimes: times });
    const record = (time: number) => {
      times.push(time);
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
  const endsAt = performance.now() + scrollMs;
  for (let index = 0; performance.now() < endsAt; index += 1) {
    await page.mouse.wheel(0, index % 60 < 45 ? 240 : -240);
    await page.waitForTimeout(16);
  }
  const times: number[] = await page.evaluate(() => Object(globalThis)['frameTimes']);
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  await page.context().close();
  console.log(
    `  ${list}: ${elements} elements, slowest of 100 frames ${percentile(intervals, 99).toFixed(0)} ms`,
  );
  return atLeast(framesPerSecondMin - toleratedFrames, {
    figure: `frames a second while ${list} scroll`,
    value: Number(
      (1_000 / (intervals.reduce((sum, ms) => sum + ms, 0) / intervals.length)).toFixed(1),
    ),
    unit: '',
  });
}
