import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSetupLink } from '../../src/modules/accounts/setup/create-setup-link.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

const password = 'a saddle, a bridle, a hoof';

describeInBrowser('the set-up page', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await openConsole();
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  const link = async () =>
    (await createSetupLink({ database: site.app.database, clock: () => new Date() })) ?? '';

  it('A valid link answers with the page, which is not cached and forbids foreign and inline scripts', async () => {
    const path = await link();
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await site.app.request(method, path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
    expect((await site.app.request('POST', path)).status).toBe(405);
    expect(site.app.logLines.join('')).not.toContain(path.split('=')[1]);
  });

  it('A wrong or missing token answers with 404, and the page explains it without a form', async () => {
    const page = await site.page();
    for (const path of ['/setup', '/setup/', '/setup?token=', '/setup?token=made-up']) {
      expect((await site.app.request('GET', path)).status).toBe(404);
      await page.goto(site.origin + path);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      expect(await page.getByRole('form').count()).toBe(0);
    }
    await expectAccessibleInBoth(page);
  });

  it('The link creates the organization, the page shows its key once, and the administrator can sign in', async () => {
    const path = await link();
    const page = await site.page();
    await page.goto(site.origin + path);
    const fill = async (fields: Record<string, string>) => {
      for (const [label, value] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(value);
    };
    const setUp = page.getByRole('button', { name: 'Set up', exact: true });
    await fill({
      Organization: 'First',
      'First name': 'Ada',
      'Last name': 'Amsel',
      'E-mail address': 'ada@first.example',
      Password: '1234567890',
    });
    await expectAccessibleInBoth(page);
    await setUp.click();
    await page.getByText('not easy to guess').waitFor();
    await fill({ Password: password });
    await setUp.click();
    await page.getByRole('heading', { name: 'Your organization is ready' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await expectAccessibleInBoth(page);
    const key = (await page.getByLabel('Key').textContent()) ?? '';
    expect(await page.getByText(/^curl/).textContent()).toContain(`Bearer ${key}`);
    const { status } = await site.app.callerWith(key)('GET', '/api/user-management/v1/users');
    expect(status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await fill({ 'E-mail address': 'ada@first.example', Password: password });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/');
    expect((await site.app.request('GET', path)).status).toBe(404);
    for (const secret of [key, password, path.split('=')[1] ?? ''])
      expect(site.app.logLines.join('')).not.toContain(secret);
  });
});
