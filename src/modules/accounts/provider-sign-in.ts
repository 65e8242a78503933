import { setTimeout as wait } from 'node:timers/promises';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { generateState } from 'better-auth/oauth2';
import { z } from 'zod';
import { AppError, notFound } from '../../platform/errors.ts';
import type { AccountServices } from './account-services.ts';
import { wrongFields, wrongReturnPath } from './refusals.ts';
import { parseReturnPath } from './return-path.ts';

const answerMsMax = 10_000;

const wanted = z
  .object({ provider: z.string(), callbackPath: z.string().default('/') })
  .transform(({ provider, callbackPath }) => ({
    provider,
    callbackURL: callbackPath,
    errorCallbackURL: callbackPath.startsWith('/auth?')
      ? callbackPath
      : `/auth?next=${encodeURIComponent(callbackPath)}`,
  }));

/**
 * The beginning of a sign-in at another site. Of what better-auth’s own call takes it takes the
 * site and the way back, and that only to us.
 */
export const providerSignIn = ({ log }: Pick<AccountServices, 'log'>) =>
  ({
    id: 'atrium-provider-sign-in',
    endpoints: {
      signInWithProvider: createAuthEndpoint(
        '/sign-in/provider',
        { method: 'POST', use: [formCsrfMiddleware], body: wanted },
        async (ctx) => {
          if (parseReturnPath(ctx.body.callbackURL) === undefined)
            throw wrongFields({ callbackPath: wrongReturnPath });
          const provider = ctx.context.socialProviders.find(({ id }) => id === ctx.body.provider);
          if (!provider) throw notFound('Provider');
          const { state, codeVerifier } = await generateState(ctx, undefined, undefined);
          const redirectURI = `${ctx.context.baseURL}/callback/${provider.id}`;
          try {
            const url = await withinTime(
              provider.createAuthorizationURL({ state, codeVerifier, redirectURI }),
            );
            return ctx.json({ url: url.href });
          } catch (err) {
            // Some sites are asked first where their sign-in is.
            log.warn({ err, provider: provider.id }, 'a site to sign in with is out of reach');
            throw new AppError(
              'UNAVAILABLE',
              'The other site can not be reached at the moment. Please try again, or sign in another way',
            );
          }
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

async function withinTime<T>(work: T | PromiseLike<T>): Promise<T> {
  const patience = new AbortController();
  const late = wait(answerMsMax, undefined, { signal: patience.signal, ref: false }).then(() => {
    throw new Error(`No answer within ${answerMsMax} ms`);
  });
  return Promise.race([work, late]).finally(() => patience.abort());
}
