import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Response } from '@whatwg-node/fetch';
import { preferenceFor, preferredCoding } from '../http/accept.ts';
import type { RequestContext, RequestHandler } from '../http/request-context.ts';
import { noSuchPath } from '../http/router.ts';
import { preferredLanguage } from '../platform/language.ts';
import type { FilesBySection, Language } from './split-chunks.ts';

const contentSecurityPolicy = [
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

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const contentTypes: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
  '.woff2': 'font/woff2',
};

/**
 * Paths that answer with the page, and first path segments below which every path does. Other paths
 * below /auth/ belong to the API.
 */
const pagePaths = new Set([
  '/',
  '/auth',
  '/auth/',
  '/auth/forgot',
  '/auth/reset',
  '/auth/verify',
  '/auth/second-factor',
  '/auth/membership',
]);
const sectionFolders = new Set([
  'assistants',
  'conversations',
  'sponsorship',
  'vault',
  'notifications',
  'developers',
  'settings',
]);

type BuiltApp = {
  /** The page as each section begins with it, in each language. */
  pages: ReadonlyMap<string, StaticAsset>;
  assets: ReadonlyMap<string, StaticAsset>;
};
type StaticAsset = {
  type: string;
  plain: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
};

/**
 * Serves the web app from the build output in `directory`: the page at every page path, its scripts
 * and styles below /console/.
 */
export function createConsole({ directory }: { directory: string }) {
  // The files are read on the first request.
  let builtApp: BuiltApp | undefined;

  /** Answers with the file at this path, or otherwise with the page. */
  function serve(
    request: Request,
    requestContext: RequestContext,
    { status = 200, cacheControl = 'no-cache' } = {},
  ): Response {
    const { method, pathname } = requestContext;
    requestContext.operation = 'Console';
    if (method !== 'GET' && method !== 'HEAD')
      return new Response(null, {
        status: 405,
        headers: { ...requestContext.headers, allow: 'GET, HEAD' },
      });
    builtApp ??= readBuiltApp(directory);
    const { pages, assets } = builtApp;
    const isPage = !pathname.startsWith('/console/');
    const asset = isPage ? pages.get(pageKey(request, pathname)) : assets.get(pathname);
    if (!asset)
      return new Response('Not found\n', {
        status: 404,
        headers: { ...requestContext.headers, 'content-type': 'text/plain; charset=utf-8' },
      });
    const acceptsGzip =
      preferredCoding(request.headers.get('accept-encoding'), ['gzip']) !== undefined;
    const body = acceptsGzip ? asset.gzipped : asset.plain;
    const headers = {
      ...requestContext.headers,
      ...securityHeaders,
      'content-type': asset.type.startsWith('font/') ? asset.type : `${asset.type}; charset=utf-8`,
      'content-length': String(body.byteLength),
      // File names contain a content hash, so assets never change. The page names the current
      // files, so browsers must revalidate it on every load.
      'cache-control': isPage ? cacheControl : 'public, max-age=31536000, immutable',
      vary: isPage ? 'accept-encoding, accept-language' : 'accept-encoding',
      ...(acceptsGzip ? { 'content-encoding': 'gzip' } : {}),
    };
    return new Response(method === 'HEAD' ? null : body, { status, headers });
  }
  const handler: RequestHandler = async (request, requestContext) => serve(request, requestContext);
  /** Answers a path that does not exist. Whoever opened it in a browser sees a page that says so. */
  const notFound: RequestHandler = async (request, requestContext) => {
    const { method } = requestContext;
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || !preferenceFor(request.headers.get('accept'), 'text/html').isNamed)
      throw noSuchPath();
    return serve(request, requestContext, { status: 404, cacheControl: 'no-store' });
  };

  return {
    handler,
    notFound,
    serve,
    /** Whether the console answers this path, with the page or with one of its files. */
    serves: (pathname: string): boolean => {
      const folder = pathname.split('/', 2)[1] ?? '';
      return pagePaths.has(pathname) || folder === 'console' || sectionFolders.has(folder);
    },
  };
}

const keyOf = (section: string, language: Language) => `${section} ${language}`;

/**
 * The section of the path, and the language that the browser prefers. A person who chose the other
 * language loads its texts a moment later.
 */
function pageKey(request: Request, pathname: string): string {
  const folder = pathname.split('/', 2)[1] ?? '';
  // The page of a short address is one of those for people who are not signed in.
  const section = folder === 's' ? 'auth' : folder;
  const preferred = preferredLanguage(request.headers.get('accept-language'));
  const language = preferred === 'DE' ? 'de' : 'en';
  return keyOf(section === 'auth' || sectionFolders.has(section) ? section : '', language);
}

function readBuiltApp(directory: string): BuiltApp {
  const names = readdirSync(join(directory, 'assets'));
  const page = readFileSync(join(directory, 'index.html'), 'utf8');
  const files: FilesBySection = JSON.parse(readFileSync(join(directory, 'sections.json'), 'utf8'));
  return {
    pages: new Map(
      Object.entries(files).flatMap(([section, { en, de }]) => [
        [
          keyOf(section, 'en'),
          toAsset('.html', pageOf(page, { section, language: 'en', files: en })),
        ],
        [
          keyOf(section, 'de'),
          toAsset('.html', pageOf(page, { section, language: 'de', files: de })),
        ],
      ]),
    ),
    assets: new Map(
      names.map((name) => [
        `/console/assets/${name}`,
        toAsset(extname(name), readFileSync(join(directory, 'assets', name))),
      ]),
    ),
  };
}

type SectionPage = { section: string; language: Language; files: readonly string[] };

/**
 * The page in a language, with links to the files of a section, which the browser then loads at
 * once.
 */
function pageOf(page: string, { section, language, files }: SectionPage): Buffer {
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="preload" as="style" crossorigin href="/console/${file}">`
      : `<link rel="modulepreload" crossorigin href="/console/${file}">`,
  );
  return Buffer.from(
    page
      .replace('<html lang="en"', `<html data-section="${section || 'home'}" lang="${language}"`)
      .replace('</head>', `${links.join('\n')}\n</head>`),
  );
}

function toAsset(extension: string, bytes: Buffer): StaticAsset {
  const plain = new Uint8Array(bytes);
  return {
    type: contentTypes[extension] ?? 'application/octet-stream',
    plain,
    gzipped: new Uint8Array(gzipSync(plain, { level: 9 })),
  };
}
