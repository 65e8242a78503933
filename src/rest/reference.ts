import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Response } from '@whatwg-node/fetch';
import type { AdmitRequest } from '../access/admission.ts';
import { namesTag } from '../http/entity-tags.ts';
import { errorResponse } from '../http/error-response.ts';
import type { RequestHandler } from '../http/request-context.ts';
import { MethodNotAllowed, noSuchPath } from '../http/router.ts';
import type { Log } from '../platform/log.ts';
import type { OpenApiDocument } from './openapi.ts';
import { referencePage } from './reference/page.ts';
import { rejectAdmitted } from './reject-admitted.ts';

type ReferenceRequest = { method: string; pathname: string; ifNoneMatch?: string | null };
type ReferenceResponse = { status: number; headers: Record<string, string>; body: string };

/**
 * Returns the response for the document, the page or its assets; undefined for every other path.
 */
export type ReferenceLookup = (ask: ReferenceRequest) => ReferenceResponse | undefined;

const basePath = '/api/docs';

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
    const file = files.get(pathname.endsWith('/') ? pathname.slice(0, -1) : pathname);
    if (!file) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return notAllowed;
    if (ifNoneMatch && namesTag(ifNoneMatch, file.headers.etag, { weakly: true }))
      return { status: 304, headers: file.headers, body: '' };
    return { status: 200, headers: file.headers, body: method === 'HEAD' ? '' : file.body };
  };
}

type ReferenceDependencies = { document: OpenApiDocument; admit: AdmitRequest; log: Log };

/** Serves the API reference, which needs no key. Mounted at /api/docs and /api/openapi.json. */
export function createReferenceHandler({
  document,
  admit,
  log,
}: ReferenceDependencies): RequestHandler {
  const reference = createReference({ document });
  return async (request, requestContext) => {
    const { method, pathname, headers } = requestContext;
    try {
      const reply = reference({
        method,
        pathname,
        ifNoneMatch: request.headers.get('if-none-match'),
      });
      if (!reply) return await rejectAdmitted(request, requestContext, admit, noSuchPath());
      requestContext.operation = 'reference';
      if (reply.status === 405)
        return await rejectAdmitted(request, requestContext, admit, new MethodNotAllowed(allowed));
      return new Response(reply.status === 304 ? null : reply.body, {
        status: reply.status,
        headers: { ...headers, ...reply.headers },
      });
    } catch (error) {
      return errorResponse(error, requestContext, log);
    }
  };
}

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
});

// The body of the error is written after the key was authenticated.
const allowed = 'GET, HEAD';
const notAllowed: ReferenceResponse = { status: 405, headers: { allow: allowed }, body: '' };
