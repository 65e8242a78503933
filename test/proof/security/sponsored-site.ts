import type { TestApp, TestResponse } from '../../support/app.ts';
import { cookieClient, sponsoredLinkCalls } from '../../support/cookie-client.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { seedOrganizations } from './demo-people.ts';

const origin = 'http://atrium.test';

/**
 * The real server on an embedded database with the organizations of the demo. It trusts the client
 * address in X-Forwarded-For.
 */
export async function openSponsoredSite(settings: Record<string, string> = {}) {
  const directory = temporaryDirectory();
  const dataSettings = { DATA_DIR: directory.path };
  const organizations = await seedOrganizations(dataSettings);
  const partner = organizations.find(({ slug }) => slug === 'partner');
  if (!partner) throw new Error('the demo has no partner');
  const server = await start({
    ...dataSettings,
    ORIGIN: origin,
    TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
  });

  async function request(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: BodyInit } = {},
  ): Promise<TestResponse> {
    const response = await fetch(server.address + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseObject(text) };
  }
  const program = { request } as TestApp;

  async function callSponsorship(path: string, body: unknown): Promise<Record<string, unknown>> {
    const headers = {
      authorization: `Bearer ${partner?.organizationKey}`,
      'content-type': 'application/json',
    };
    const answer = await request('POST', `/api/sponsorship/v1${path}`, {
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  const jsonHeaders = { origin, 'content-type': 'application/json' };
  /** Signs up or in. Returns a function that opens a browser with this session at an address. */
  async function signUpOrIn(
    call: 'sign-up' | 'sign-in',
    person: Record<string, string>,
    address = '198.51.100.1',
  ) {
    const answer = await request('POST', `/auth/${call}/email`, {
      headers: { ...jsonHeaders, 'x-forwarded-for': address },
      body: JSON.stringify(person),
    });
    if (answer.status !== 200) throw new Error(`${call} answered ${answer.status}: ${answer.text}`);
    return (clientAddress: string) => {
      const signedInBrowser = browser(clientAddress);
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        signedInBrowser.cookies.set(name, { value, line });
      }
      return signedInBrowser;
    };
  }

  const browser = (address: string, headers: Record<string, string> = {}) =>
    cookieClient(program, { 'x-forwarded-for': address, ...headers });
  type Browser = ReturnType<typeof browser>;

  return {
    server,
    partner,
    organizations,
    request,
    browser,
    signUpOrIn,
    atLink: (visitor: Browser, token: string) => sponsoredLinkCalls(visitor, token),
    /** Creates a campaign with a link. */
    async offer(terms: Record<string, unknown> = {}, link: Record<string, unknown> = {}) {
      const campaign = Object(
        (await callSponsorship('/campaigns', { name: 'Proof', durationMonths: 1, ...terms }))[
          'campaign'
        ],
      );
      const createdLink = Object(
        (await callSponsorship(`/campaigns/${campaign.id}/links`, link))['link'],
      );
      return {
        campaignId: String(campaign.id),
        linkId: String(createdLink.id),
        token: String(createdLink.token),
      };
    },
    async close() {
      server.process.kill('SIGTERM');
      await server.ended;
      directory.remove();
    },
  };
}

export type SponsoredSite = Awaited<ReturnType<typeof openSponsoredSite>>;

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
