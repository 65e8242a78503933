export type BrowserAnswer = {
  status: number;
  body: Record<string, unknown>;
  location: string | null;
};

/**
 * Sends the requests of the console's pages and keeps cookies as a browser does. It does not follow
 * redirects.
 */
export function openBrowserSession(origin: string) {
  const cookieJar = new Map<string, string>();

  async function send(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<BrowserAnswer> {
    const cookie = [...cookieJar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin, 'content-type': 'application/json', ...(cookie && { cookie }) };
    const answer = await fetch(new URL(path, origin), {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) cookieJar.delete(name);
      else cookieJar.set(name, value);
    }
    const text = await answer.text();
    return {
      status: answer.status,
      body: parseObject(text),
      location: answer.headers.get('location'),
    };
  }

  return {
    send,
    post: (path: string, body: unknown = {}) => send('POST', path, body),
    async graph(query: string, variables: Record<string, unknown> = {}) {
      return graphAnswer((await send('POST', '/graphql', { query, variables })).body);
    },
    /** The id of the signed-in person; undefined without a session. */
    async personId(): Promise<string | undefined> {
      const { data } = graphAnswer(
        (await send('POST', '/graphql', { query: '{ viewer { person { id } } }' })).body,
      );
      return Object(Object(data['viewer'])['person'])['id'];
    },
  };
}

export type ProofBrowser = ReturnType<typeof openBrowserSession>;

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function graphAnswer({ data, errors }: Record<string, unknown>) {
  const [first] = Array.isArray(errors) ? errors : [];
  const { code, reason } = Object(Object(first)['extensions']);
  return { data: Object(data) as Record<string, unknown>, code, reason };
}

/** In how many of the browsers a person is signed in. */
export async function countSignedIn(browsers: readonly ProofBrowser[]): Promise<number> {
  return (await Promise.all(browsers.map((browser) => browser.personId()))).filter(
    (id) => id !== undefined,
  ).length;
}
