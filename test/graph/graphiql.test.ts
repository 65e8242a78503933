import { gunzipSync } from 'node:zlib';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createGraphiql } from '../../src/graph/graphiql.ts';
import { testApp } from '../support/app.ts';

const graphiql = createGraphiql();
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = html, method = 'GET') => {
  const url = new URL(path, 'https://atrium.example');
  return graphiql(new Request(url, { method, headers }), url);
};
const page = async () => (await (await get('/graphql'))?.text()) ?? '';
const filesOf = (text: string) =>
  [...text.matchAll(/\/graphql\/graphiql-[0-9a-f]{16}\.(?:js|css)/g)].map(([path]) => path);
const textOf = async (path: string) =>
  gunzipSync(
    Buffer.from((await (await get(path, {}))?.arrayBuffer()) ?? new ArrayBuffer(0)),
  ).toString();

describe('GraphiQL', () => {
  it('GraphiQL is served to browsers and not to programs', async () => {
    for (const path of ['/graphql', '/graphql/', '/graphql?query={__typename}'])
      expect((await get(path))?.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await get('/graphql', { accept: 'application/json' })).toBeUndefined();
    expect(await get('/graphql', {})).toBeUndefined();
    expect(
      await get('/graphql?query={__typename}', { accept: 'application/json, text/html;q=0.9' }),
    ).toBeUndefined();
    expect(await get('/graphql?documentId=sha256:0')).toBeUndefined();
    expect(await get('/graphql', html, 'POST')).toBeUndefined();
    expect(await get('/graphql/graphiql-0000000000000000.js')).toBeUndefined();
  });

  it('the page allows scripts only from its own origin and no inline scripts', async () => {
    const policy = Object.fromEntries(
      ((await get('/graphql'))?.headers.get('content-security-policy') ?? '')
        .split('; ')
        .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
    );
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'worker-src': ["'self'"],
      'connect-src': ["'self'"],
      'frame-ancestors': ["'none'"],
    });
    expect(await page()).not.toMatch(/<script(?! src="\/)|<style|\son\w+=|https?:/);
  });

  it('all files are below /graphql, named by their content and cached forever', async () => {
    const [style = '', script = ''] = filesOf(await page());
    const workers = filesOf((await textOf(script)).slice(0, 1000));
    expect(workers).toHaveLength(3);
    for (const path of [style, script, ...workers]) {
      const headers = (await get(path, {}))?.headers;
      expect(headers?.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers?.get('content-type')).toBe(
        path.endsWith('css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      );
      expect((await textOf(path)).length).toBeGreaterThan(100_000);
    }
  });

  it('the script is valid JavaScript and starts with a valid query', async () => {
    const [, script = ''] = filesOf(await page());
    const text = await textOf(script);
    expect(() => new Function(text)).not.toThrow();
    const [, options = '{}'] =
      /renderYogaGraphiQL\(document\.querySelector\('#root'\), (\{.*\})\);\s*$/.exec(text) ?? [];
    const { defaultQuery, shouldPersistHeaders } = JSON.parse(options);
    expect(parse(defaultQuery).definitions).toHaveLength(1);
    expect(shouldPersistHeaders).toBe(false);
  });

  it('the application serves GraphiQL without a key from its own origin', async () => {
    const app = await testApp();
    const { text, headers } = await app.request('GET', '/graphql', { headers: html });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const path of filesOf(text))
      expect((await app.fetch(new Request(`http://atrium.test${path}`))).status).toBe(200);
    await app.close();
  });
});
