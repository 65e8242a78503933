import { isUploadForm } from './upload-form.ts';

/**
 * Whether a page of another site may have made a signed-in person's browser send this request.
 *
 * Only a cookie is sent without the page knowing it, so a request with a key is never suspected. A
 * POST is `application/json`, which no form can send and no foreign script without our CORS answer;
 * that alone would do, were it not for pages of a sibling domain, for which SameSite cookies are no
 * hindrance, and for reads by GET. So, in the order of what can not be forged: an origin that the
 * settings trust; Sec-Fetch-Site, which every current browser sends over HTTPS; Origin; and for a
 * GET or a form without any of them a header that makes a browser ask first.
 */
export function isForgeable(
  request: Request,
  url: URL,
  trustedOrigins: readonly string[],
): boolean {
  const { headers } = request;
  if (!headers.has('cookie') || headers.has('authorization')) return false;
  const verdict = siteVerdict(headers, url, trustedOrigins);
  // A form can be sent by any page.
  return verdict === 'unknown'
    ? (request.method === 'GET' || isUploadForm(request)) && !headers.has('x-requested-with')
    : verdict === 'foreign';
}

/**
 * Whether a browser says that a page of another site sends this. For what changes something in the
 * browser itself, cookie or not.
 */
export const isFromForeignPage = (
  headers: Headers,
  url: URL,
  trustedOrigins: readonly string[],
): boolean => siteVerdict(headers, url, trustedOrigins) === 'foreign';

function siteVerdict(
  headers: Headers,
  url: URL,
  trustedOrigins: readonly string[],
): 'own' | 'foreign' | 'unknown' {
  const origin = headers.get('origin');
  if (origin !== null && trustedOrigins.includes(origin)) return 'own';
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  if (origin !== null) return hostOf(origin) === url.host ? 'own' : 'foreign';
  return 'unknown';
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined);
