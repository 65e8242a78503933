import type { Answer, GraphFault, TestApp } from './app.ts';
import { givePassword, password, postJson } from './sign-in.ts';

type Kept = { value: string; line: string };

/** Somebody's browser: it keeps the cookies that it is given, and sends them back. */
export function visitorOf(app: TestApp, headers: Record<string, string> = {}) {
  const jar = new Map<string, Kept>();
  const answers: Answer[] = [];

  async function post(path: string, body: unknown): Promise<Answer> {
    const cookie = [...jar].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const answer = await postJson(app, path, body, {
      origin: 'http://atrium.test',
      ...headers,
      ...(cookie && { cookie }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, { value, line });
    }
    answers.push(answer);
    return answer;
  }

  return {
    jar,
    answers,
    async graph<Data = Record<string, unknown>>(
      query: string,
      variables: Record<string, unknown> = {},
    ) {
      const { body } = await post('/graphql', { query, variables });
      const { data = null, errors = [] } = body as { data?: Data | null; errors?: GraphFault[] };
      return {
        data,
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

export type TestVisitor = ReturnType<typeof visitorOf>;

/**
 * What a visitor of a sponsored link asks of the graph. Each answers with what was told, or with
 * the reason or code of the refusal.
 */
export function atLink(visitor: Pick<TestVisitor, 'graph'>, token: string) {
  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, code, reason } = await visitor.graph<{ result: unknown }>(query, {
      token,
      ...variables,
    });
    return reason ?? code ?? data?.result;
  };
  const offer =
    '{ campaignName sponsorName durationMonths includedSeats sponsoredUntil needsPassword hasAllowList heldUntil }';
  const workspace =
    '{ sponsorName campaignName durationMonths includedSeats sponsoredUntil organization { id name memberCount } }';
  return {
    look: () => ask(`query ($token: String!) { result: sponsoredOffer(token: $token) ${offer} }`),
    open: (password: string) =>
      ask(
        `mutation ($token: String!, $password: String!) { result: openSponsoredOffer(token: $token, password: $password) ${offer} }`,
        { password },
      ),
    reserve: (email: string | null = null) =>
      ask(
        `mutation ($token: String!, $email: EmailAddress) { result: reserveSponsorship(token: $token, email: $email) ${offer} }`,
        { email },
      ),
    release: () => ask('mutation ($token: String!) { result: releaseSponsorship(token: $token) }'),
    redeem: (name = 'Workspace') =>
      ask(
        `mutation ($token: String!, $name: OrganizationName!) { result: redeemSponsorship(token: $token, organizationName: $name) ${workspace} }`,
        { name },
      ),
    workspace: () =>
      ask(`query ($token: String!) { result: sponsoredWorkspace(token: $token) ${workspace} }`),
  };
}
