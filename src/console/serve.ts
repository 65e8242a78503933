import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Response } from '@whatwg-node/fetch';
import { acceptsCoding } from '../platform/accept.ts';
import type { Handler } from '../platform/http.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const security = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
};

/**
 * Addresses that are pages, and those that all pages of a section begin with. What else is below
 * /auth/ is no page.
 */
const pages = new Set([
  '/',
  '/auth',
  '/auth/',
  '/auth/forgot',
  '/auth/reset',
  '/auth/verify',
  '/auth/second-factor',
  '/auth/membership',
]);
const sections = new Set(['assistants', 'sponsorship', 'vault', 'developers', 'settings']);

type Files = { page: Asset; assets: ReadonlyMap<string, Asset> };
type Asset = { type: string; plain: Uint8Array<ArrayBuffer>; zipped: Uint8Array<ArrayBuffer> };

/**
 * Serves the web app that was built into `directory`: its page at every place, its files below
 * /console/.
 */
export function createConsole({ directory }: { directory: string }) {
  // Read when the first person comes.
  let files: Files | undefined;

  const handler: Handler = async (request, requestContext) => {
    const { method, pathname } = requestContext;
    requestContext.operation = 'Console';
    if (method !== 'GET' && method !== 'HEAD')
      return new Response(null, {
        status: 405,
        headers: { ...requestContext.headers, allow: 'GET, HEAD' },
      });
    files ??= readFiles(directory);
    const { page, assets } = files;
    const asset = assets.get(pathname) ?? (pathname.startsWith('/console/') ? undefined : page);
    if (!asset)
      return new Response('There is nothing here\n', {
        status: 404,
        headers: { ...requestContext.headers, 'content-type': 'text/plain; charset=utf-8' },
      });
    const zips = acceptsCoding(request.headers.get('accept-encoding'), 'gzip');
    const body = zips ? asset.zipped : asset.plain;
    const headers = {
      ...requestContext.headers,
      ...security,
      'content-type': `${asset.type}; charset=utf-8`,
      'content-length': String(body.byteLength),
      // The name of a file changes with its content; the page names them, so it is asked for each
      // time.
      'cache-control': asset === page ? 'no-cache' : 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(zips ? { 'content-encoding': 'gzip' } : {}),
    };
    return new Response(method === 'HEAD' ? null : body, { headers });
  };

  return {
    handler,
    /**
     * Whether an address is one of the console's: a page that a person is shown, or a file of it.
     */
    serves: (pathname: string): boolean => {
      const folder = pathname.split('/', 2)[1] ?? '';
      return pages.has(pathname) || folder === 'console' || sections.has(folder);
    },
  };
}

function readFiles(directory: string): Files {
  const names = readdirSync(join(directory, 'assets'));
  return {
    page: readAsset(join(directory, 'index.html')),
    assets: new Map(
      names.map((name) => [`/console/assets/${name}`, readAsset(join(directory, 'assets', name))]),
    ),
  };
}

function readAsset(file: string): Asset {
  const plain = new Uint8Array(readFileSync(file));
  return {
    type: types[extname(file)] ?? 'application/octet-stream',
    plain,
    zipped: new Uint8Array(gzipSync(plain, { level: 9 })),
  };
}
