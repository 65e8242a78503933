import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('the console', () => {
  let people: TestConsole;
  let ada: string;
  beforeAll(async () => {
    people = await openConsole();
    ({ administratorId: ada } = await people.app.organization());
  });
  afterAll(() => people.close());

  it('sends somebody who is not signed in to the sign-in, and remembers where they wanted to go', async () => {
    const page = await people.page();
    await page.goto(`${people.origin}/settings/keys`);
    await page.waitForURL(/\/auth\?next=%2Fsettings%2Fkeys$/);
  });

  it('works by keyboard: the first stop skips to the content, and the places follow', async () => {
    const page = await people.page({ as: ada });
    await page.goto(people.origin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Skip to the content',
    );
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('has a menu on a phone, closes it when a page is chosen, and nothing hangs over the edge', async () => {
    const page = await people.page({ as: ada, width: 360, height: 740 });
    await page.goto(people.origin);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL(/\/settings/);
    await expect.poll(() => page.getByRole('link', { name: 'Developers' }).isVisible()).toBe(false);
    await expectAccessibleInBoth(page);
  });

  it('keeps the look that was chosen over a reload', async () => {
    const page = await people.page({ as: ada });
    await page.goto(people.origin);
    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(
      'dark',
    );
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(20, 20, 24)',
    );
  });

  it('says that a page does not exist, with a way back', async () => {
    const page = await people.page({ as: ada });
    await page.goto(`${people.origin}/settings/nowhere/at/all`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('brings somebody who lost their place in the organization they chose back to one of their own', async () => {
    const page = await people.page({ as: ada });
    await page.goto(people.origin);
    await page.evaluate(() =>
      localStorage.setItem('atrium.organization', 'an-organization-that-is-not-theirs'),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('atrium.organization'))).toBeNull();
  });

  it('loads no more than 200 kB before its first page is there, compressed', async () => {
    const page = await people.page({ as: ada });
    let bytes = 0;
    page.on('response', async (response) => {
      bytes += Number(response.headers()['content-length'] ?? 0);
    });
    await page.goto(people.origin, { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(200_000);
  });

  it('signs out: the page is left, and the session opens nothing more', async () => {
    const page = await people.page({ as: ada });
    await page.goto(people.origin);
    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/auth/);
    await page.goto(`${people.origin}/settings`);
    await page.waitForURL(/\/auth\?next=/);
  });

  it('did all this without an error, a refused script or style, or a request to another host', () => {
    expect(people.faults).toEqual([]);
  });
});
