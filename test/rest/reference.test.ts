import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../../src/rest/openapi.ts';
import { html } from '../../src/rest/reference/html.ts';
import { createReference } from '../../src/rest/reference.ts';
import { computedDocument } from '../support/computed-document.ts';

const document = computedDocument();
const reference = createReference({ document });
// The page describes HEAD once, for all calls.
const callsAt = ({ head: _, ...methods }: OpenApiDocument['paths'][string]) =>
  Object.values(methods);
const get = (pathname: string, ifNoneMatch?: string) =>
  reference({ method: 'GET', pathname, ...(ifNoneMatch ? { ifNoneMatch } : {}) });
const page = get('/api/docs')?.body ?? '';
const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, found = '']) => found);

describe('the page of the API reference', () => {
  it('The page has every operation with an anchor, a link, its path and a curl command', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { operationId, parameters } of callsAt(methods)) {
        expect(all(/ id="([^"]+)"/g)).toContain(operationId);
        expect(all(/ href="#([^"]+)"/g)).toContain(operationId);
        for (const { name } of parameters) expect(page).toContain(`<code>${name}</code>`);
      }
      expect(page.replaceAll('<wbr>', '')).toContain(`<code>${path}</code>`);
    }
    expect(all(/(>curl )/g)).toHaveLength(Object.values(document.paths).flatMap(callsAt).length);
  });

  it('No parameter has a placeholder as its example, and a curl command has no optional parameters', () => {
    for (const methods of Object.values(document.paths))
      for (const { parameters } of callsAt(methods))
        for (const { example } of parameters) expect(example).not.toBe('text');
    expect(page.replaceAll('<wbr>', '')).toContain('/api/user-management/v1/users&#34;');
  });

  it('The page has every object, header and error', () => {
    const linked = all(/ href="#object-([^"]+)"/g);
    expect(linked.length).toBeGreaterThan(10);
    for (const name of ['ErrorBody', ...linked])
      expect(all(/ id="object-([^"]+)"/g)).toContain(name);
    for (const name of Object.keys(document.components.headers))
      expect(page).toContain(`<code>${name}</code>`);
    for (const { description } of Object.values(document.components.responses))
      expect(page).toContain(`<dd>${description}</dd>`);
  });

  it('The page loads nothing from another host and links to none', () => {
    const targets = all(/\s(?:href|src|action|srcset|poster|data)=["']?([^"'\s>]+)/g);
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.filter((target) => !/^(#|\/(?!\/))/.test(target))).toEqual([]);
    for (const file of ['reference.css', 'reference.js', 'icon.svg'])
      expect(get(`/api/docs/${file}`)?.body).not.toMatch(
        /https?:(?!\/\/www\.w3\.org\/2000\/svg)|url\(|@import|import\(|fetch/,
      );
  });

  it('All assets of the page are served, and its links lead to existing anchors and paths', () => {
    const ids = all(/\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    for (const target of all(/\s(?:href|src)="([^"]+)"/g)) {
      if (target.startsWith('#')) expect(ids).toContain(target.slice(1));
      else expect({ target, status: get(target)?.status }).toEqual({ target, status: 200 });
    }
  });

  it('The page has no inline code or style, and its policy forbids them', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:/i);
    const policy = get('/api/docs')?.headers['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|\*|http|data:/);
  });

  it('The page shows the server of the document', () => {
    const named = createReference({
      document: { ...document, servers: [{ url: 'https://atrium.example' }] },
    });
    const body = named({ method: 'GET', pathname: '/api/docs' })?.body;
    expect(body).toContain('curl &#34;https://atrium.example/api/');
    expect(body).not.toContain('data-origin');
    expect(page).toContain('data-origin');
  });

  it('The texts of the document are escaped', () => {
    const hostile = '<script>alert("1")</script>\'&';
    const evil = createReference({
      document: {
        ...document,
        info: { ...document.info, title: hostile, description: `\`${hostile}\`` },
      },
    });
    expect(evil({ method: 'GET', pathname: '/api/docs' })?.body).not.toContain('<script>');
    expect(html`<p title="${hostile}">${[html`<b>${1}</b>`, '<']}</p>`.markup).toBe(
      '<p title="&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;"><b>1</b>&#60;</p>',
    );
  });
});

describe('the paths of the API reference', () => {
  it('The document itself is served', () => {
    expect(JSON.parse(get('/api/openapi.json')?.body ?? '')).toEqual(document);
    expect(get('/api/openapi.json')?.headers['content-type']).toBe(
      'application/json; charset=utf-8',
    );
  });

  it('The document as YAML is the same document', () => {
    const yaml = get('/api/openapi.yaml');
    expect(yaml?.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(parse(yaml?.body ?? '')).toEqual(document);
    // Neither anchors nor aliases.
    expect(yaml?.body).not.toMatch(/: [&*]a\d/);
  });

  it('Only the paths of the reference are served, with and without a slash at the end', () => {
    expect(get('/api/docs/')).toEqual(get('/api/docs'));
    for (const path of [
      '/api',
      '/api/doc',
      '/api/docs/../openapi.json',
      '/api/docs/page.ts',
      '/api/docs/constructor',
      '/api/docs//',
    ])
      expect(get(path)).toBeUndefined();
  });

  it('A client that has the current version gets 304', () => {
    const etag = get('/api/docs')?.headers['etag'] ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, body, headers } = get('/api/docs', known) ?? {};
      expect({ known, status, body, etag: headers?.['etag'] }).toEqual({
        known,
        status: 304,
        body: '',
        etag,
      });
    }
    expect(get('/api/docs', '"other"')?.status).toBe(200);
    expect(get('/api/openapi.json', etag)?.status).toBe(200);
  });

  it('HEAD answers like GET without the body, and every other method answers 405', () => {
    expect(reference({ method: 'HEAD', pathname: '/api/docs' })).toEqual({
      ...get('/api/docs'),
      body: '',
    });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = reference({ method, pathname: '/api/docs' });
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
  });
});
