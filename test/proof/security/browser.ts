import { linkIn, type receiveMail } from '../../support/mail.ts';
import type { RunningServer } from '../../support/process.ts';

export type Mailbox = Awaited<ReturnType<typeof receiveMail>>;
type BrowserReply = { status: number; body: Record<string, unknown> };

export const strangersPassword = 'chosen by a stranger';
export const ownPassword = 'chosen by the mailbox owner';

/**
 * Sends the calls of the console with cookies and an Origin header. `origin` is for a server behind
 * a proxy.
 */
export function openBrowser({ address }: Pick<RunningServer, 'address'>, origin = address) {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'content-type': 'application/json', origin, ...(cookie && { cookie }) };
    const response = await fetch(address + path, { redirect: 'manual', headers, ...init });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  async function post(path: string, body: object): Promise<BrowserReply> {
    const response = await send(path, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: Object(await response.json().catch(() => ({}))) };
  }

  return {
    post,
    /** Follows the redirect of an identity provider back to Atrium. */
    follow: (url: URL) => send(url.pathname + url.search),
    signUp: (email: string, password: string, firstName = 'Somebody') =>
      post('/auth/sign-up/email', { email, password, firstName }),
    signIn: (email: string, password: string) => post('/auth/sign-in/email', { email, password }),
    openLink: (link: URL, input: object = {}) =>
      post('/auth/verify-email', { token: link.searchParams.get('token'), ...input }),
    /** Whether this browser has a valid session. */
    async isSignedIn(): Promise<boolean> {
      const { body } = await post('/graphql', { query: '{ viewer { kind } }' });
      return Object(body['data']).viewer != null;
    },
  };
}

/** The link of the next mail to this address; undefined when that mail has no link with a token. */
export async function nextLink(mail: Mailbox, email: string): Promise<URL | undefined> {
  const received = await mail.next(email);
  return received.text?.includes('token=') ? linkIn(received) : undefined;
}

/** Calls the user management API with the key of the organization. */
export async function manage(
  { address }: Pick<RunningServer, 'address'>,
  key: string,
  path: string,
  body: object,
): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (
    await fetch(`${address}/api/user-management/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  ).status;
}
