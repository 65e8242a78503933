import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';

describeInBrowser('a short address that was opened too often', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await openConsole();
    for (let guess = 0; guess < 100; guess += 1)
      await fetch(`${site.origin}/s/unknown`, { redirect: 'manual' });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  it.each([
    { locale: 'en-GB', width: 1280, title: 'Too many addresses', retry: 'Try again' },
    { locale: 'de-DE', width: 360, title: 'Zu viele Adressen', retry: 'Erneut versuchen' },
  ])(
    'The page says when to try again in the language of the browser ($locale)',
    async ({ title, retry, ...options }) => {
      const page = await site.page(options);
      const answer = await page.goto(`${site.origin}/s/k7m2xw9qpd`);
      expect(answer?.status()).toBe(429);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      expect(await page.title()).toBe(`${title} · Atrium`);
      await expectAccessibleInBoth(page);
      const [again] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/s/k7m2xw9qpd')),
        page.getByRole('button', { name: retry }).click(),
      ]);
      expect(again.status()).toBe(429);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    },
  );
});
