import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { generateState } from 'better-auth/oauth2';
import { z } from 'zod';
import { notFound } from '../../platform/errors.ts';
import { wrongFields, wrongReturnPath } from './refusals.ts';
import { parseReturnPath } from './return-path.ts';

const wanted = z.object({ provider: z.string(), callbackPath: z.string().default('/') }).transform(({ provider, callbackPath }) => ({
  provider,
  callbackURL: callbackPath,
  errorCallbackURL: callbackPath.startsWith('/auth?') ? callbackPath : `/auth?next=${encodeURIComponent(callbackPath)}`,
}));

/** The beginning of a sign-in at another site. Of what better-auth’s own call takes it takes the site and the way back, and that only to us. */
export const providerSignIn = () =>
  ({
    id: 'atrium-provider-sign-in',
    endpoints: {
      signInWithProvider: createAuthEndpoint('/sign-in/provider', { method: 'POST', use: [formCsrfMiddleware], body: wanted }, async (ctx) => {
        if (parseReturnPath(ctx.body.callbackURL) === undefined) throw wrongFields({ callbackPath: wrongReturnPath });
        const provider = ctx.context.socialProviders.find(({ id }) => id === ctx.body.provider);
        if (!provider) throw notFound('Provider');
        const { state, codeVerifier } = await generateState(ctx, undefined, undefined);
        const redirectURI = `${ctx.context.baseURL}/callback/${provider.id}`;
        const url = await provider.createAuthorizationURL({ state, codeVerifier, redirectURI });
        return ctx.json({ url: url.href });
      }),
    },
  }) satisfies BetterAuthPlugin;
