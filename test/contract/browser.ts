import type { Answer } from './answer.ts';
import type { Suite } from './suite.ts';

/** A browser with cookies that sends the requests of the console. */
export function createBrowser({ send, url, prefix }: Suite) {
  const cookies = new Map<string, string>();
  const post = async (path: string, json: unknown): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send('POST', path, {
      json,
      headers: { origin: url, ...(cookie === '' ? {} : { cookie }) },
    });
    for (const setCookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      if (/Max-Age=0(;|$)/i.test(setCookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const graph = (query: string, variables: Record<string, unknown> = {}) =>
    post('/graphql', { query, variables });
  return {
    graph,
    async signIn(email: string, password: string) {
      const answer = await post('/auth/sign-in/email', { email, password });
      if (answer.status !== 200)
        throw new Error(`signing in answered ${answer.status}: ${answer.text}`);
    },
    async signUp(email: string) {
      const answer = await post('/auth/sign-up/email', {
        email,
        password: `${prefix} turquoise boat`,
        firstName: 'Guest',
        lastName: 'Contract',
      });
      if (answer.status !== 200)
        throw new Error(`signing up answered ${answer.status}: ${answer.text}`);
    },
    offer: (token: string) =>
      graph('query ($token: String!) { sponsoredOffer(token: $token) { campaignName } }', {
        token,
      }),
    open: (token: string, password: string) =>
      graph(
        'mutation ($token: String!, $password: String!) { openSponsoredOffer(input: { token: $token, password: $password }) { offer { needsPassword } } }',
        { token, password },
      ),
    reserve: (token: string) =>
      graph(
        'mutation ($token: String!) { reserveSponsorship(input: { token: $token }) { offer { heldUntil } } }',
        {
          token,
        },
      ),
    redeem: (token: string) =>
      graph(
        'mutation ($token: String!, $name: String!) { redeemSponsorship(input: { token: $token, organizationName: $name }) { workspace { organization { id } } } }',
        {
          token,
          name: `${prefix} workspace`,
        },
      ),
  };
}
