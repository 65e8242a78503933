import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Response } from '@whatwg-node/fetch';
import { stringify } from 'yaml';
import type { AdmitRequest } from '../access/admission.ts';
import { varyByCoding } from '../http/compression.ts';
import { listedTag } from '../http/entity-tags.ts';
import { errorResponse } from '../http/error-response.ts';
import type { RequestHandler } from '../http/request-context.ts';
import { MethodNotAllowed, noSuchPath } from '../http/router.ts';
import { type CompressedForms, TextResponse } from '../http/text-response.ts';
import type { Log } from '../platform/log.ts';
import { type OpenApiDocument, withOrigin } from './openapi.ts';
import { referencePage } from './reference/page.ts';
import { rejectAdmitted } from './reject-admitted.ts';

type ReferenceRequest = { method: string; pathname: string; ifNoneMatch?: string | null };
type ReferenceResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  compressedForms?: CompressedForms;
};

/**
 * Returns the response for the document, the page or its assets; undefined for every other path.
 */
export type ReferenceLookup = (ask: ReferenceRequest) => ReferenceResponse | undefined;

const basePath = '/api/docs';
const yamlPath = '/api/openapi.yaml';

// The page loads only our own files: no inline code, no other host, and no frame may contain it.
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const styleSheets = ['text.css', 'navigation.css', 'calls.css', 'screens.css'];

export function createReference({ document }: { document: OpenApiDocument }): ReferenceLookup {
  const files = new Map([
    ['/api/openapi.json', assetOf('application/json', `${JSON.stringify(document, null, 2)}\n`)],
    [basePath, assetOf('text/html', referencePage(document, basePath))],
    [`${basePath}/reference.css`, assetOf('text/css', styleSheets.map(readAsset).join('\n'))],
    [`${basePath}/reference.js`, assetOf('text/javascript', readAsset('browser.js'))],
    [`${basePath}/icon.svg`, assetOf('image/svg+xml', readAsset('icon.svg'))],
  ]);

  return ({ method, pathname, ifNoneMatch }) => {
    const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
    // Writing YAML takes a tenth of a second, so it waits for somebody who wants it.
    if (path === yamlPath && !files.has(path)) files.set(path, yamlOf(document));
    const file = files.get(path);
    if (!file) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return notAllowed;
    const { headers, compressedForms } = file;
    const listed = listedTag(ifNoneMatch ?? null, headers.etag, { weakly: true });
    if (listed !== undefined)
      return { status: 304, headers: { ...headers, etag: listed }, body: '' };
    return { status: 200, headers, body: method === 'HEAD' ? '' : file.body, compressedForms };
  };
}

// Aliases for equal parts would be shorter, but many readers of YAML do not know them.
const yamlOf = (document: OpenApiDocument) =>
  assetOf('application/yaml', stringify(document, { aliasDuplicateObjects: false }));

type ReferenceDependencies = {
  document: OpenApiDocument;
  /** The origin at which clients reach the API. It is known when the server listens. */
  origin: () => string | undefined;
  admit: AdmitRequest;
  log: Log;
};

/**
 * Serves the API reference, which needs no key. Mounted at /api/docs, /api/openapi.json and
 * /api/openapi.yaml.
 */
export function createReferenceHandler({
  document,
  origin,
  admit,
  log,
}: ReferenceDependencies): RequestHandler {
  let reference: ReferenceLookup | undefined;
  return async (request, requestContext) => {
    const { method, pathname, headers } = requestContext;
    try {
      reference ??= createReference({ document: atOrigin(document, origin()) });
      const reply = reference({
        // node:http leaves out the body of a response to HEAD, and its headers are those of GET.
        method: method === 'HEAD' ? 'GET' : method,
        pathname,
        ifNoneMatch: request.headers.get('if-none-match'),
      });
      if (!reply) return await rejectAdmitted(request, requestContext, admit, noSuchPath());
      requestContext.operation = 'reference';
      if (reply.status === 405)
        return await rejectAdmitted(request, requestContext, admit, new MethodNotAllowed(allowed));
      const { status, body, compressedForms } = reply;
      const head = { status, headers: { ...headers, ...reply.headers } };
      if (status !== 304) return new TextResponse(body, head, compressedForms);
      head.headers['vary'] = varyByCoding(head.headers);
      return new Response(null, head);
    } catch (error) {
      return errorResponse(error, requestContext, log);
    }
  };
}

const atOrigin = (document: OpenApiDocument, origin: string | undefined): OpenApiDocument =>
  origin === undefined ? document : withOrigin(document, origin);

const readAsset = (name: string): string =>
  readFileSync(new URL(`./reference/${name}`, import.meta.url), 'utf8');

const assetOf = (type: string, body: string) => ({
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Browsers revalidate the cached copy on every request, so a new version appears at once.
    'cache-control': 'no-cache',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
  },
  body,
  compressedForms: new Map(),
});

// The body of the error is written after the key was authenticated.
const allowed = 'GET, HEAD';
const notAllowed: ReferenceResponse = { status: 405, headers: { allow: allowed }, body: '' };
