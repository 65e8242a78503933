import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
  withoutIdleTime,
} from '../support/browser.ts';

describeInBrowser('the console', () => {
  let site: TestConsole;
  let ada: string;
  beforeAll(async () => {
    site = await openConsole();
    ({ administratorId: ada } = await site.app.organization());
  });
  afterAll(() => site.close());

  it('A person who is not signed in is sent to the sign-in page with the requested path', async () => {
    const page = await site.page();
    await page.goto(`${site.origin}/settings/keys`);
    await page.waitForURL(/\/auth\?next=%2Fsettings%2Fkeys$/);
  });

  it('The first Tab stop of a page skips to the content', async () => {
    const page = await site.page({ as: ada });
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('The navigation on a phone is a menu that closes on navigation, and nothing overflows', async () => {
    const page = await site.page({ as: ada, width: 360, height: 740 });
    await page.goto(site.origin);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL(/\/settings/);
    await expect.poll(() => page.getByRole('link', { name: 'Developers' }).isVisible()).toBe(false);
    await expectAccessibleInBoth(page);
  });

  it('A page of another release, whose documents are not trusted, asks to be reloaded', async () => {
    const page = await site.page({ as: ada });
    await page.route('**/graphql', (route) => {
      const request: { query: string } = JSON.parse(route.request().postData() ?? '{}');
      const postData = { ...request, query: `${request.query}\n# another release` };
      return route.continue({ postData });
    });
    await page.goto(site.origin);
    await page.getByText('Atrium was updated. Reload this page.').first().waitFor();
  });

  it('A chosen theme survives a reload', async () => {
    const page = await site.page({ as: ada });
    await page.goto(site.origin);
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(
      'dark',
    );
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(20, 20, 24)',
    );
  });

  it('An unknown path shows a page with a link back', async () => {
    const page = await site.page({ as: ada });
    await page.goto(`${site.origin}/settings/nowhere/at/all`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('A person who is no longer a member of the chosen organization falls back to the default one', async () => {
    const page = await site.page({ as: ada });
    await page.goto(site.origin);
    // The first requests would name the organization too, and the page would leave by itself.
    await page.getByRole('link', { name: 'Settings' }).waitFor();
    await page.evaluate(() => {
      // Like a new tab, which begins with the last choice.
      sessionStorage.removeItem('atrium.organization');
      localStorage.setItem('atrium.organization', 'an-organization-without-membership');
    });
    await page.reload();
    await page.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('atrium.organization'))).toBeNull();
  });

  it('The first page loads at most 200 kB compressed, and the other sections when it is idle', async () => {
    const page = await site.page({ as: ada });
    await withoutIdleTime(page);
    let bytes = 0;
    page.on('response', async (response) => {
      bytes += Number(response.headers()['content-length'] ?? 0);
    });
    await page.goto(site.origin, { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(200_000);

    const idle = await site.page({ as: ada });
    const settings = idle.waitForResponse(/\/console\/assets\/settings-[^/]*\.js$/);
    await idle.goto(site.origin);
    expect((await settings).status()).toBe(200);
  });

  it('Signing out leaves the page and ends the session', async () => {
    const page = await site.page({ as: ada });
    await page.goto(site.origin);
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/auth/);
    await page.goto(`${site.origin}/settings`);
    await page.waitForURL(/\/auth\?next=/);
  });

  it('A page that the browser has kept and shows again is loaded again', async () => {
    const page = await site.page({ as: ada });
    await page.goto(`${site.origin}/settings`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.context().clearCookies();
    // This Chromium keeps no pages.
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.waitForURL(/\/auth\?next=/);
  });

  it('The pages above caused no error, no blocked script or style, and no request to another host', () => {
    expect(site.faults).toEqual([]);
  });
});
