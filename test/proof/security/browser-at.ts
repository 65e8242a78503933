export type BrowserAnswer = {
  status: number;
  body: Record<string, unknown>;
  location: string | null;
};

/**
 * A browser without pages: it keeps cookies, and sends what the console's pages send. Redirects are
 * not followed.
 */
export function browserAt(origin: string) {
  const jar = new Map<string, string>();

  async function send(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<BrowserAnswer> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin, 'content-type': 'application/json', ...(cookie && { cookie }) };
    const answer = await fetch(new URL(path, origin), {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await answer.text();
    return {
      status: answer.status,
      body: objectIn(text),
      location: answer.headers.get('location'),
    };
  }

  return {
    send,
    post: (path: string, body: unknown = {}) => send('POST', path, body),
    async graph(query: string, variables: Record<string, unknown> = {}) {
      return graphAnswer((await send('POST', '/graphql', { query, variables })).body);
    },
    /** Whose session this browser has; undefined for nobody's. */
    async personId(): Promise<string | undefined> {
      const { data } = graphAnswer(
        (await send('POST', '/graphql', { query: '{ viewer { person { id } } }' })).body,
      );
      return Object(Object(data['viewer'])['person'])['id'];
    },
  };
}

export type ProofBrowser = ReturnType<typeof browserAt>;

function objectIn(text: string): Record<string, unknown> {
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
