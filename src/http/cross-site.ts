import { isUploadForm } from './upload.ts';

/**
 * Whether a page of another site may have caused the browser of a signed-in person to send this
 * request.
 *
 * Only cookies are attached without the page knowing them, so a request with a key is never
 * suspect. A POST must be `application/json`, which no form can send, and which other origins can
 * send only if CORS allows it. That does not cover pages of a sibling domain, which get SameSite
 * cookies, and reads by GET. So these checks follow, in the order of how hard they are to forge: an
 * origin that the settings trust; Sec-Fetch-Site, which every current browser sends over HTTPS;
 * Origin; and, for a GET or a form without any of these, a header that requires a CORS preflight.
 */
export function isForgeable(
  request: Request,
  url: URL,
  trustedOrigins: readonly string[],
): boolean {
  const { headers } = request;
  if (!headers.has('cookie') || headers.has('authorization')) return false;
  const verdict = siteVerdict(headers, url, trustedOrigins);
  // Any page can send a form.
  return verdict === 'unknown'
    ? (request.method === 'GET' || isUploadForm(request)) && !headers.has('x-requested-with')
    : verdict === 'foreign';
}

/**
 * Whether the browser reports that a page of another site sent this request. For calls that change
 * the state of the browser itself, with or without a cookie.
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
