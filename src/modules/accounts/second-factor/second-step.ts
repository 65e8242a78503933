import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { networkOf } from '../../../platform/network-of.ts';
import type { AccountServices } from '../account-services.ts';
import { clientHeader } from '../client-header.ts';
import { openSession } from '../open-session.ts';
import { checkCode } from './check-code.ts';
import { readPendingSignIn, signInExpired } from './pending-sign-in.ts';
import { recordSecondStep } from './record-second-step.ts';
import { takeSecondFactorTry } from './second-factor-tries.ts';

/**
 * The second step of a sign-in. better-auth's own plugin guards the sign-in by password alone,
 * takes a code again while its time step lasts, and stores recovery codes in a form that can be
 * decrypted.
 */
export const secondStep = (parts: AccountServices) =>
  ({
    id: 'atrium-second-step',
    endpoints: {
      secondFactorOptions: createAuthEndpoint(
        '/second-factor/options',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true },
        async (ctx) => {
          const waiting = await readPendingSignIn(ctx, parts);
          if (!waiting) throw signInExpired();
          const where = { userId: waiting.userId };
          const [apps, passkeys] = await Promise.all([
            parts.database.prisma.authenticatorApp.count({
              where: { ...where, confirmedAt: { not: null } },
            }),
            parts.database.prisma.passkey.count({ where }),
          ]);
          return ctx.json({ app: apps > 0, passkey: passkeys > 0 });
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
          const waiting = await readPendingSignIn(ctx, parts);
          if (!waiting) throw signInExpired();
          const { userId, forgetful } = waiting;
          await takeSecondFactorTry(
            { userId, network: networkOf(ctx.request.headers.get(clientHeader) ?? undefined) },
            parts.limits,
          );
          const kind = await checkCode({ userId, code: ctx.body.code }, parts);
          await recordSecondStep(
            { userId, result: kind ?? 'WRONG_CODE', headers: ctx.request.headers },
            parts,
          );
          if (kind === undefined) {
            throw new AppError(
              'UNAUTHENTICATED',
              'This code is wrong or was used already. Please take the next one',
              'CODE_WRONG',
            );
          }
          await waiting.finish();
          await openSession(ctx, userId, { forgetful, secondFactorAt: parts.clock() });
          return ctx.json({ signedIn: true });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
