import { setTimeout as wait } from 'node:timers/promises';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { generateState } from 'better-auth/oauth2';
import { z } from 'zod';
import { AppError, notFound } from '../../../platform/errors.ts';
import { preferredLanguage } from '../../../platform/language.ts';
import { invalidFields, returnPathMessage } from '../account-errors.ts';
import type { AccountServices } from '../account-services.ts';
import { parseReturnPath } from '../return-path.ts';

const answerMsMax = 10_000;

const signInBody = z
  .object({ provider: z.string(), callbackPath: z.string().default('/') })
  .transform(({ provider, callbackPath }) => ({
    provider,
    callbackURL: callbackPath,
    errorCallbackURL: callbackPath.startsWith('/auth?')
      ? callbackPath
      : `/auth?next=${encodeURIComponent(callbackPath)}`,
  }));

/**
 * Starts a sign-in with a provider. Of the parameters of better-auth’s own call it accepts only the
 * provider and the return path, and the return path must be a path of this Atrium.
 */
export const providerSignIn = ({ log }: Pick<AccountServices, 'log'>) =>
  ({
    id: 'atrium-provider-sign-in',
    endpoints: {
      signInWithProvider: createAuthEndpoint(
        '/sign-in/provider',
        { method: 'POST', use: [formCsrfMiddleware], body: signInBody },
        async (ctx) => {
          if (parseReturnPath(ctx.body.callbackURL) === undefined)
            throw invalidFields({ callbackPath: returnPathMessage });
          const provider = ctx.context.socialProviders.find(({ id }) => id === ctx.body.provider);
          if (!provider) throw notFound('Provider');
          const { state, codeVerifier } = await generateState(ctx, undefined, {
            language: preferredLanguage(ctx.headers?.get('accept-language')),
          });
          const redirectURI = `${ctx.context.baseURL}/callback/${provider.id}`;
          try {
            const url = await withTimeout(
              provider.createAuthorizationURL({ state, codeVerifier, redirectURI }),
            );
            return ctx.json({ url: url.href });
          } catch (err) {
            // For an OpenID provider better-auth first fetches the discovery document, which can
            // fail.
            log.warn({ err, provider: provider.id }, 'a sign-in provider cannot be reached');
            throw new AppError(
              'UNAVAILABLE',
              'The other site can not be reached at the moment. Please try again, or sign in another way',
            );
          }
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

async function withTimeout<T>(work: T | PromiseLike<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = wait(answerMsMax, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error(`No answer within ${answerMsMax} ms`);
  });
  return Promise.race([work, timeout]).finally(() => timer.abort());
}
