import { readFileSync } from 'node:fs';
import { Response } from '@whatwg-node/fetch';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestHandler } from '../../../platform/http.ts';
import { validSetupToken } from '../setup-token.ts';
import { invalidLinkPage, setupFormPage } from './markup.ts';

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const asset = (name: string, type: string) => ({
  type,
  text: readFileSync(new URL(name, import.meta.url), 'utf8'),
});

/**
 * Serves the page at /setup, with its style sheet and script, to the person who starts Atrium for
 * the first time.
 */
export function createSetupPage({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): RequestHandler {
  const assets = new Map([
    ['/setup/setup.css', asset('setup.css', 'text/css')],
    ['/setup/setup.js', asset('setup.js', 'text/javascript')],
  ]);

  return async (_, requestContext) => {
    const { method, url } = requestContext;
    const headers = { ...requestContext.headers, ...securityHeaders };
    if (method !== 'GET' && method !== 'HEAD')
      return new Response(null, { status: 405, headers: { ...headers, allow: 'GET, HEAD' } });
    requestContext.operation = 'SetupPage';
    const file = assets.get(url.pathname);
    if (file)
      return new Response(file.text, {
        headers: { ...headers, 'content-type': `${file.type}; charset=utf-8` },
      });
    const token = await database.prisma.verification.findFirst({
      where: validSetupToken(url.searchParams.get('token') ?? '', clock()),
      select: { id: true },
    });
    return new Response(token ? setupFormPage : invalidLinkPage, {
      status: token ? 200 : 404,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    });
  };
}
