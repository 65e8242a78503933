import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Response } from '@whatwg-node/fetch';
import type { Admit } from '../graph/admission.ts';
import { refusalOf } from '../graph/errors.ts';
import { namesTag } from '../platform/entity-tags.ts';
import type { Handler } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import type { OpenApiDocument } from './openapi.ts';
import { referencePage } from './reference/page.ts';
import { refused } from './respond.ts';
import { MethodNotAllowed } from './router.ts';

type Ask = { method: string; pathname: string; ifNoneMatch?: string | null };
type Reply = { status: number; headers: Record<string, string>; body: string };

/** Answers for the document, the page and what the page loads; undefined for every other path. */
export type Reference = (ask: Ask) => Reply | undefined;

const base = '/api/docs';

// Nothing but our own files: no inline code, no other host, no frame around the page.
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const styleSheets = ['text.css', 'navigation.css', 'calls.css', 'screens.css'];

export function createReference({ document }: { document: OpenApiDocument }): Reference {
  const files = new Map([
    ['/api/openapi.json', fileOf('application/json', `${JSON.stringify(document, null, 2)}\n`)],
    [base, fileOf('text/html', referencePage(document, base))],
    [`${base}/reference.css`, fileOf('text/css', styleSheets.map(source).join('\n'))],
    [`${base}/reference.js`, fileOf('text/javascript', source('browser.js'))],
    [`${base}/icon.svg`, fileOf('image/svg+xml', source('icon.svg'))],
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

type ReferenceParts = { document: OpenApiDocument; otherwise: Handler; admit: Admit; log: Log };

/**
 * The reference for whoever asks for it without a key, and everything else to the calls themselves.
 */
export function createReferenceHandler({
  document,
  otherwise,
  admit,
  log,
}: ReferenceParts): Handler {
  const reference = createReference({ document });
  return async (request, requestContext) => {
    const { requestId, method, pathname, headers } = requestContext;
    const reply = reference({
      method,
      pathname,
      ifNoneMatch: request.headers.get('if-none-match'),
    });
    if (!reply) return otherwise(request, requestContext);
    requestContext.operation = 'reference';
    if (reply === notAllowed) {
      try {
        await admit(request, requestContext, { accepts: 'ANY_KEY' });
        throw new MethodNotAllowed(['GET']);
      } catch (error) {
        if (error instanceof MethodNotAllowed) headers['allow'] = error.allow;
        return refused(refusalOf(error, { requestId, log }), headers);
      }
    }
    return new Response(reply.status === 304 ? null : reply.body, {
      status: reply.status,
      headers: { ...headers, ...reply.headers },
    });
  };
}

const source = (name: string): string =>
  readFileSync(new URL(`./reference/${name}`, import.meta.url), 'utf8');

const fileOf = (type: string, body: string) => ({
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Kept, but asked for again each time: a new version shows at once.
    'cache-control': 'no-cache',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
  },
  body,
});

// Its body is written once the key is admitted.
const notAllowed: Reply = { status: 405, headers: { allow: 'GET, HEAD' }, body: '' };
