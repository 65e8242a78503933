import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { buildConsole } from '../support/process.ts';

let app: TestApp;
beforeAll(async () => {
  buildConsole();
  app = await testApp();
});
afterAll(() => app.close());

describe('the console server', () => {
  it.each([
    '/',
    '/auth',
    '/auth?sponsored=abc',
    '/auth/reset?token=x',
    '/settings/keys',
    '/sponsorship/campaigns/abc',
  ])('The path %s answers with the page', async (path) => {
    const { status, headers, text } = await app.request('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(text).toContain('<div id="root">');
  });

  it('The page of a section names its files and its texts in the language of the browser, so that all load at once', async () => {
    const pageOf = async (path: string, language: string) =>
      (await app.request('GET', path, { headers: { 'accept-language': language } })).text;
    const linked = (text: string) =>
      [...text.matchAll(/<link rel="modulepreload"[^>]*assets\/([^"]+)-.{8}\.js"/g)].map(
        ([, name]) => name,
      );
    expect(linked(await pageOf('/settings/members', 'en-GB,de;q=0.5'))).toEqual(
      expect.arrayContaining(['settings', 'page-en', 'settings-en']),
    );
    const german = linked(await pageOf('/settings', 'de-AT,en;q=0.5'));
    expect(german).toEqual(expect.arrayContaining(['settings', 'page-de', 'settings-de']));
    expect(german).not.toContain('settings-en');
    expect(linked(await pageOf('/auth', 'fr'))).toEqual(
      expect.arrayContaining(['auth', 'page-en', 'auth-en']),
    );
    for (const [accepted, language] of [
      ['de-AT', 'de'],
      ['de;q=0.1, en;q=0.9', 'en'],
      ['fr', 'en'],
    ] as const)
      expect(await pageOf('/', accepted)).toMatch(
        new RegExp(`^<!doctype html>\\s*<html data-section="home" lang="${language}" dir="ltr"`),
      );
    const { headers } = await app.request('GET', '/');
    expect(headers.get('vary')).toContain('accept-language');
  });

  it('The content security policy allows own scripts and styles only, and no frames', async () => {
    const { headers } = await app.request('GET', '/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('Scripts are immutable for caches, and compressed for clients that accept gzip', async () => {
    const { text } = await app.request('GET', '/');
    const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const plain = await app.request('GET', script);
    const gzipped = await app.request('HEAD', script, { headers: { 'accept-encoding': 'gzip' } });
    expect(plain.status).toBe(200);
    expect(plain.headers.get('cache-control')).toContain('immutable');
    expect(gzipped.headers.get('content-encoding')).toBe('gzip');
    expect(Number(gzipped.headers.get('content-length'))).toBeLessThan(
      Number(plain.headers.get('content-length')),
    );
  });

  it('The scripts of the first page have at most 130 kB compressed, those of a section at most 100 kB, and what draws pages of PDFs at most 500 kB', async () => {
    const { text } = await app.request('GET', '/');
    const sizeOf = async (name: string) => {
      const { headers } = await app.request('HEAD', `/console/assets/${name}`, {
        headers: { 'accept-encoding': 'gzip' },
      });
      return Number(headers.get('content-length'));
    };
    // Loaded when the first page of a PDF is shown.
    const kilobytesMax = (name: string) => (name.startsWith('pdf-page-') ? 500 : 100);
    const names = readdirSync(new URL('../../src/console/generated/app/assets', import.meta.url));
    let firstBytes = 0;
    for (const name of names.filter((each) => each.endsWith('.js'))) {
      const bytes = await sizeOf(name);
      expect(bytes, name).toBeGreaterThan(0);
      if (text.includes(name)) firstBytes += bytes;
      else expect(bytes, name).toBeLessThanOrEqual(kilobytesMax(name) * 1024);
    }
    expect(firstBytes).toBeGreaterThan(50 * 1024);
    expect(firstBytes).toBeLessThanOrEqual(130 * 1024);
  });

  it.each([
    '/console/assets/nothing.js',
    '/console/../package.json',
    '/console/',
    '/auth/nothing',
    '/nothing',
  ])('The path %s answers with 404', async (path) => {
    expect((await app.request('GET', path)).status).toBe(404);
  });

  it('Every other method than GET and HEAD answers with 405', async () => {
    const { status, headers } = await app.request('POST', '/');
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD');
  });
});
