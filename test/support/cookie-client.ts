import { graphAnswerOf } from './answers.ts';
import type { TestApp, TestResponse } from './app.ts';
import { givePassword, password, postJson } from './sign-in.ts';

type StoredCookie = { value: string; line: string };

/** A client like a browser: it stores cookies and sends them back. */
export function cookieClient(app: TestApp, headers: Record<string, string> = {}) {
  const cookies = new Map<string, StoredCookie>();
  const answers: TestResponse[] = [];

  async function post(path: string, body: unknown): Promise<TestResponse> {
    const cookie = [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const answer = await postJson(app, path, body, {
      origin: 'http://atrium.test',
      ...headers,
      ...(cookie && { cookie }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, { value, line });
    }
    answers.push(answer);
    return answer;
  }

  return {
    cookies,
    answers,
    post,
    async graph<Data = Record<string, unknown>>(
      query: string,
      variables: Record<string, unknown> = {},
    ) {
      const { data, errors } = graphAnswerOf(await post('/graphql', { query, variables }));
      return {
        data: errors.length > 0 ? null : (data as Data | null),
        code: errors[0]?.extensions?.code,
        reason: errors[0]?.extensions?.reason,
        message: errors[0]?.message,
      };
    },
    async signIn(userId: string) {
      const email = await givePassword(app, userId);
      const { status, text } = await post('/auth/sign-in/email', { email, password });
      if (status !== 200) throw new Error(`signing in answered ${status}: ${text}`);
    },
  };
}

export type CookieClient = ReturnType<typeof cookieClient>;

/**
 * The GraphQL operations of the sponsored link pages. Each returns the result, or the reason or
 * code of the error.
 */
export function sponsoredLinkCalls(client: Pick<CookieClient, 'graph'>, token: string) {
  const request = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, code, reason } = await client.graph<{ result: unknown }>(query, {
      token,
      ...variables,
    });
    return reason ?? code ?? data?.result;
  };
  /** The only field of the payload. */
  const change = async (query: string, variables: Record<string, unknown> = {}) => {
    const result = await request(query, variables);
    return typeof result === 'object' && result !== null ? Reflect.get(result, 'value') : result;
  };
  const offer =
    '{ campaignName sponsorName durationMonths includedSeats sponsoredUntil needsPassword hasAllowList heldUntil }';
  const workspace =
    '{ sponsorName campaignName durationMonths includedSeats sponsoredUntil organization { id name memberCount } }';
  return {
    look: () =>
      request(`query ($token: String!) { result: sponsoredOffer(token: $token) ${offer} }`),
    open: (password: string) =>
      change(
        `mutation ($token: String!, $password: String!) { result: openSponsoredOffer(input: { token: $token, password: $password }) { value: offer ${offer} } }`,
        { password },
      ),
    reserve: (email: string | null = null) =>
      change(
        `mutation ($token: String!, $email: EmailAddress) { result: reserveSponsorship(input: { token: $token, email: $email }) { value: offer ${offer} } }`,
        { email },
      ),
    release: () =>
      change(
        'mutation ($token: String!) { result: releaseSponsorship(input: { token: $token }) { value: isReleased } }',
      ),
    redeem: (name = 'Workspace') =>
      change(
        `mutation ($token: String!, $name: String!) { result: redeemSponsorship(input: { token: $token, organizationName: $name }) { value: workspace ${workspace} } }`,
        { name },
      ),
    workspace: () =>
      request(`query ($token: String!) { result: sponsoredWorkspace(token: $token) ${workspace} }`),
  };
}
