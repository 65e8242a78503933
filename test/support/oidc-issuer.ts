import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

type IdentityClaims = Record<string, unknown> & { sub: string };

const encodePart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An OpenID Connect provider. A browser that opens it is signed in as `identity` at once. */
export async function startIssuer(identity: IdentityClaims = { sub: 'nobody' }) {
  const codes = new Map<string, { claims: IdentityClaims; challenge: string }>();
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
        .writeHead(302, { location: signIn(new URL(request.url, issuer), identity).href })
        .end();
    const form = new URLSearchParams(await text(request));
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (request.url !== '/token' || code?.challenge !== challenge)
      return answer(400, { error: 'invalid_grant' });
    const idToken = `${encodePart({ alg: 'none' })}.${encodePart({ iss: issuer, aud: 'atrium', ...code.claims })}.`;
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

  /** Signs in with these claims and returns the callback address. */
  function signIn(authorization: URL, claims: IdentityClaims): URL {
    const code = randomUUID();
    codes.set(code, { claims, challenge: authorization.searchParams.get('code_challenge') ?? '' });
    const callback = new URL(authorization.searchParams.get('redirect_uri') ?? '');
    callback.searchParams.set('code', code);
    callback.searchParams.set('state', authorization.searchParams.get('state') ?? '');
    return callback;
  }

  return {
    issuer,
    signIn,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
