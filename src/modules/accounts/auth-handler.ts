import { Response } from '@whatwg-node/fetch';
import { refusalOf } from '../../graph/errors.ts';
import { readJsonObject } from '../../platform/body.ts';
import type { ClientAddressOf } from '../../platform/client-address.ts';
import { AppError, errorCatalogue } from '../../platform/errors.ts';
import type { Handler } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import type { Auth } from './auth.ts';
import { clientHeader } from './client-header.ts';
import type { SignInOptions } from './sign-in-options.ts';

type Call = { method: string; operation: string };

/** What is open of better-auth. Whatever else it can do is no part of Atrium until it stands here. */
const calls = new Map<string, Call>([
  ['/auth/sign-up/email', { method: 'POST', operation: 'SignUp' }],
  ['/auth/sign-in/email', { method: 'POST', operation: 'SignIn' }],
  ['/auth/sign-in/provider', { method: 'POST', operation: 'SignInWithProvider' }],
  ['/auth/sign-out', { method: 'POST', operation: 'SignOut' }],
  ['/auth/get-session', { method: 'GET', operation: 'GetSession' }],
  ['/auth/request-password-reset', { method: 'POST', operation: 'RequestPasswordReset' }],
  ['/auth/reset-password', { method: 'POST', operation: 'ResetPassword' }],
  ['/auth/send-verification-email', { method: 'POST', operation: 'SendVerificationEmail' }],
  ['/auth/verify-email', { method: 'POST', operation: 'VerifyEmail' }],
]);

/** Where the other sites that the settings name send people back to. */
const callbackOf = ({ id }: { id: string }): [string, Call] => [
  id === 'oidc' ? '/auth/oauth2/callback/oidc' : `/auth/callback/${id}`,
  { method: 'GET', operation: 'ProviderCallback' },
];

type AuthHandlerParts = { auth: Auth; options: SignInOptions; clientAddressOf: ClientAddressOf; log: Log };

/** Serves the paths below /auth/. */
export function createAuthHandler({ auth, options, clientAddressOf, log }: AuthHandlerParts): Handler {
  const open = new Map([...calls, ...options.providers.map(callbackOf)]);
  return async (request, visit) => {
    const { headers, url, method, requestId } = visit;
    headers['cache-control'] = 'no-store';
    try {
      const call = open.get(url.pathname);
      if (!call) throw new AppError('NOT_FOUND', 'There is no such path');
      visit.operation = call.operation;
      if (method !== call.method) {
        headers['allow'] = call.method;
        throw new AppError('METHOD_NOT_ALLOWED', 'This path does not take this method');
      }
      const body = method === 'POST' ? JSON.stringify(await readJsonObject(request)) : null;
      return await answerOf(
        await auth.handler(new globalThis.Request(url, { method, headers: forwarded(request, clientAddressOf(request, visit.clientAddress)), body })),
        headers,
      );
    } catch (error) {
      const { code, message, reason } = refusalOf(error, { requestId, log });
      headers['content-type'] = 'application/json';
      return new Response(JSON.stringify({ code, message, ...(reason === undefined ? {} : { reason }) }), { status: errorCatalogue[code].status, headers });
    }
  };
}

function forwarded(request: Request, clientAddress: string | undefined): Headers {
  const headers = new globalThis.Headers([...request.headers.entries()]);
  headers.delete('content-length');
  headers.delete(clientHeader);
  headers.set('content-type', 'application/json');
  if (clientAddress) headers.set(clientHeader, clientAddress);
  return headers;
}

async function answerOf(answer: globalThis.Response, headers: Record<string, string>): Promise<Response> {
  const location = answer.headers.get('location');
  const response = new Response(await answer.text(), {
    status: answer.status,
    headers: { ...headers, ...(location === null ? { 'content-type': 'application/json' } : { location, 'referrer-policy': 'no-referrer' }) },
  });
  const retryAfter = answer.headers.get('x-retry-after');
  if (retryAfter) response.headers.set('retry-after', retryAfter);
  for (const cookie of answer.headers.getSetCookie()) response.headers.append('set-cookie', cookie);
  return response;
}
