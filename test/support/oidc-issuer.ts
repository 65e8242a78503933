import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown> & { sub: string };

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Another site where people sign in, by OpenID Connect. A browser that comes there is signed in as
 * `visitor` at once.
 */
export async function startIssuer(visitor: Claims = { sub: 'nobody' }) {
  const codes = new Map<string, { claims: Claims; challenge: string }>();
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') {
      return answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
      });
    }
    if (request.url?.startsWith('/authorize?'))
      return response
        .writeHead(302, { location: signIn(new URL(request.url, issuer), visitor).href })
        .end();
    const form = new URLSearchParams(await text(request));
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (request.url !== '/token' || code?.challenge !== challenge)
      return answer(400, { error: 'invalid_grant' });
    const idToken = `${part({ alg: 'none' })}.${part({ iss: issuer, aud: 'atrium', ...code.claims })}.`;
    return answer(200, {
      access_token: 'an-access-token',
      refresh_token: 'a-refresh-token',
      id_token: idToken,
      token_type: 'Bearer',
      expires_in: 60,
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  const issuer = `http://127.0.0.1:${port}`;

  /** Somebody signs in there, and is sent back: the address of their way back. */
  function signIn(authorization: URL, claims: Claims): URL {
    const code = randomUUID();
    codes.set(code, { claims, challenge: authorization.searchParams.get('code_challenge') ?? '' });
    const back = new URL(authorization.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', authorization.searchParams.get('state') ?? '');
    return back;
  }

  return {
    issuer,
    signIn,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
