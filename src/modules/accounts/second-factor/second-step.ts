import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { networkOf } from '../../../platform/network-of.ts';
import type { AccountServices } from '../account-services.ts';
import { clientHeader } from '../client-header.ts';
import { openSession } from '../sessions/open-session.ts';
import { checkCode } from './check-code.ts';
import { readPendingSignIn, signInExpired } from './pending-sign-in.ts';
import { recordSecondStep } from './record-second-step.ts';
import { countSecondFactorAttempt } from './second-factor-attempts.ts';

/**
 * The second step of a sign-in. It replaces better-auth's own plugin, which protects only the
 * sign-in by password, accepts a code repeatedly within its time step, and stores recovery codes in
 * a form that can be decrypted.
 */
export const secondStep = (services: AccountServices) =>
  ({
    id: 'atrium-second-step',
    endpoints: {
      secondFactorOptions: createAuthEndpoint(
        '/second-factor/options',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true },
        async (ctx) => {
          const pendingSignIn = await readPendingSignIn(ctx, services);
          if (!pendingSignIn) throw signInExpired();
          const { userId } = pendingSignIn;
          const [options = { app: false, passkey: false }] = await services.database.sql<{
            app: boolean;
            passkey: boolean;
          }>`
            select exists (select from authenticator_apps where user_id = ${userId} and confirmed_at is not null) as app,
              exists (select from passkeys where user_id = ${userId}) as passkey`;
          return ctx.json(options);
        },
      ),
      verifySecondFactor: createAuthEndpoint(
        '/second-factor/verify',
        {
          method: 'POST',
          use: [formCsrfMiddleware],
          requireRequest: true,
          body: z.object({ code: z.string().max(100) }),
        },
        async (ctx) => {
          const pendingSignIn = await readPendingSignIn(ctx, services);
          if (!pendingSignIn) throw signInExpired();
          const { userId, endsWithBrowser } = pendingSignIn;
          await countSecondFactorAttempt(
            { userId, network: networkOf(ctx.request.headers.get(clientHeader) ?? undefined) },
            services.limits,
          );
          const kind = await checkCode({ userId, code: ctx.body.code }, services);
          await recordSecondStep(
            { userId, result: kind ?? 'WRONG_CODE', headers: ctx.request.headers },
            services,
          );
          if (kind === undefined) {
            throw new AppError(
              'UNAUTHENTICATED',
              'This code is wrong or was used already. Please take the next one',
              'CODE_WRONG',
            );
          }
          await pendingSignIn.finish();
          await openSession(ctx, userId, { endsWithBrowser, secondFactorAt: services.clock() });
          return ctx.json({ signedIn: true });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
