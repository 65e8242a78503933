import { Response } from '@whatwg-node/fetch';
import { readJsonBody } from '../../http/body.ts';
import type { ClientAddressOf } from '../../http/client-address.ts';
import { parseOrigins } from '../../http/cors.ts';
import { isFromForeignPage } from '../../http/cross-site.ts';
import { errorResponse } from '../../http/error-response.ts';
import type { RequestHandler } from '../../http/request-context.ts';
import { MethodNotAllowed, noSuchPath } from '../../http/router.ts';
import type { Env } from '../../platform/env.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Auth } from './auth.ts';
import { clientHeader, personHeader, requestIdHeader } from './client-header.ts';
import type { SignInOptions } from './sign-in/sign-in-options.ts';

// better-auth reads and copies a body several times. The largest body that a call needs, the
// response of a passkey, has a few kilobytes.
const authBytesMax = 65_536;

type AuthCall = { method: string; operation: string };

/** The calls of better-auth that clients can reach. Every other call of better-auth answers 404. */
const calls = new Map<string, AuthCall>([
  ['/auth/sign-up/email', { method: 'POST', operation: 'SignUp' }],
  ['/auth/sign-in/email', { method: 'POST', operation: 'SignIn' }],
  ['/auth/sign-in/provider', { method: 'POST', operation: 'SignInWithProvider' }],
  ['/auth/sign-in/passkey', { method: 'POST', operation: 'SignInWithPasskey' }],
  ['/auth/passkey/options', { method: 'POST', operation: 'PasskeyOptions' }],
  ['/auth/second-factor/options', { method: 'POST', operation: 'SecondFactorOptions' }],
  ['/auth/second-factor/verify', { method: 'POST', operation: 'VerifySecondFactor' }],
  ['/auth/sign-out', { method: 'POST', operation: 'SignOut' }],
  ['/auth/get-session', { method: 'GET', operation: 'GetSession' }],
  ['/auth/request-password-reset', { method: 'POST', operation: 'RequestPasswordReset' }],
  ['/auth/reset-password', { method: 'POST', operation: 'ResetPassword' }],
  ['/auth/send-verification-email', { method: 'POST', operation: 'SendVerificationEmail' }],
  ['/auth/verify-email', { method: 'POST', operation: 'VerifyEmail' }],
]);

/** The path to which a sign-in provider sends people back. */
const callbackCallOf = ({ id }: { id: string }): [string, AuthCall] => [
  id === 'oidc' ? '/auth/oauth2/callback/oidc' : `/auth/callback/${id}`,
  { method: 'GET', operation: 'ProviderCallback' },
];

type AuthHandlerDependencies = {
  auth: Auth;
  options: SignInOptions;
  env: Pick<Env, 'ORIGIN' | 'CORS_ORIGINS'>;
  clientAddressOf: ClientAddressOf;
  log: Log;
};

/** Serves the paths below /auth/. */
export function createAuthHandler({
  auth,
  options,
  env,
  clientAddressOf,
  log,
}: AuthHandlerDependencies): RequestHandler {
  const openCalls = new Map([...calls, ...options.providers.map(callbackCallOf)]);
  const trustedOrigins = [
    ...parseOrigins(env.CORS_ORIGINS),
    ...(env.ORIGIN ? [new URL(env.ORIGIN).origin] : []),
  ];
  return async (request, requestContext) => {
    const { headers, url, method, requestId } = requestContext;
    headers['cache-control'] = 'no-store';
    try {
      const call = openCalls.get(url.pathname);
      if (!call) throw noSuchPath();
      requestContext.operation = call.operation;
      requestContext.route = url.pathname;
      if (method !== call.method) throw new MethodNotAllowed(call.method);
      // A sign-out works without our cookies in the request, because the response removes them.
      // SameSite does not protect it, so requests from other sites are rejected.
      if (method === 'POST' && isFromForeignPage(request.headers, url, trustedOrigins))
        throw new AppError('FORBIDDEN', 'This request may come from another site', 'FOREIGN_SITE');
      const body = method === 'POST' ? await readBodyBytes(request) : null;
      const forwardedHeaders = headersForAuth(
        request,
        requestId,
        clientAddressOf(request, requestContext.clientAddress),
      );
      const authResponse = await auth.handler(
        new globalThis.Request(url, { method, headers: forwardedHeaders, body }),
      );
      const userId = authResponse.headers.get(personHeader);
      if (userId) requestContext.caller = `user:${userId}`;
      return await toResponse(authResponse, headers);
    } catch (error) {
      return errorResponse(error, requestContext, log, {
        body: ({ code, message, reason }) => ({
          ...{ code, message },
          ...(reason === undefined ? {} : { reason }),
        }),
        type: 'application/json',
        challenge: false,
      });
    }
  };
}

/** Returns the bytes of the body as they were sent, or an empty object if there is no body. */
async function readBodyBytes(request: Request): Promise<Uint8Array<ArrayBuffer> | string> {
  const { bytes } = await readJsonBody(request, { bytesMax: authBytesMax });
  return bytes.length === 0 ? '{}' : new Uint8Array(bytes);
}

function headersForAuth(
  request: Request,
  requestId: string,
  clientAddress: string | undefined,
): Headers {
  const headers = new globalThis.Headers([...request.headers.entries()]);
  headers.delete('content-length');
  headers.delete(clientHeader);
  headers.set('content-type', 'application/json');
  headers.set(requestIdHeader, requestId);
  if (clientAddress) headers.set(clientHeader, clientAddress);
  return headers;
}

async function toResponse(
  authResponse: globalThis.Response,
  headers: Record<string, string>,
): Promise<Response> {
  const location = authResponse.headers.get('location');
  const response = new Response(await authResponse.text(), {
    status: authResponse.status,
    headers: {
      ...headers,
      ...(location === null
        ? { 'content-type': 'application/json' }
        : { location, 'referrer-policy': 'no-referrer' }),
    },
  });
  const retryAfter = authResponse.headers.get('x-retry-after');
  if (retryAfter) response.headers.set('retry-after', retryAfter);
  for (const cookie of authResponse.headers.getSetCookie())
    response.headers.append('set-cookie', cookie);
  return response;
}
