import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import type { AccountServices } from '../account-services.ts';
import { openSession } from '../open-session.ts';
import { unverified } from '../refusals.ts';
import { issueSecret, readSecret, spendSecret } from '../secret-link.ts';
import {
  passkeyRefused,
  passkeySignInResponse,
  refusingFaults,
  relyingPartyAt,
} from './passkey-response.ts';
import { readPendingSignIn } from './pending-sign-in.ts';
import { recordSecondStep } from './record-second-step.ts';

type SignInResponse = z.output<typeof passkeySignInResponse>;

const body = z.object({ passkey: z.unknown(), rememberMe: z.boolean().default(true) });

/**
 * A passkey signs in by itself: the device is one factor, and the finger, face or PIN that it asks
 * for is the other.
 */
export const passkeySignIn = (parts: AccountServices) =>
  ({
    id: 'atrium-passkey-sign-in',
    endpoints: {
      /**
       * `PublicKeyCredentialRequestOptionsJSON`. In the second step of a sign-in it names that
       * account's passkeys.
       */
      passkeyOptions: createAuthEndpoint(
        '/passkey/options',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true },
        async (ctx) => {
          const { id: rpId } = relyingPartyAt(parts.originOf(ctx.request));
          const { prisma } = parts.database;
          const waiting = await readPendingSignIn(ctx, parts);
          const passkeys = waiting
            ? await prisma.passkey.findMany({
                where: { userId: waiting.userId },
                select: { credentialId: true, transports: true },
              })
            : [];
          const challenge = await issueSecret('passkey-sign-in', {}, parts.clock(), prisma);
          const allowCredentials = passkeys.map(({ credentialId, transports }) => ({
            type: 'public-key',
            id: credentialId,
            transports,
          }));
          return ctx.json({
            challenge,
            rpId,
            allowCredentials,
            userVerification: 'required',
            timeout: 300_000,
          });
        },
      ),
      signInWithPasskey: createAuthEndpoint(
        '/sign-in/passkey',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body },
        async (ctx) => {
          const parsed = passkeySignInResponse.safeParse(ctx.body.passkey);
          if (!parsed.success) throw passkeyRefused();
          const { userId, emailVerified } = await ownerOf(
            parsed.data,
            parts.originOf(ctx.request),
            parts,
          );
          if (parts.options.emailVerification === 'required' && !emailVerified) throw unverified();
          const waiting = await readPendingSignIn(ctx, parts);
          await waiting?.finish();
          await recordSecondStep(
            { userId, result: 'PASSKEY', headers: ctx.request.headers },
            parts,
          );
          const forgetful = !ctx.body.rememberMe || waiting?.forgetful === true;
          return ctx.json(
            await openSession(ctx, userId, { forgetful, secondFactorAt: parts.clock() }),
          );
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

/** Whose passkey has signed the challenge. */
async function ownerOf(
  response: SignInResponse,
  origin: string,
  { database, clock }: AccountServices,
): Promise<{ userId: string; emailVerified: boolean }> {
  const party = relyingPartyAt(origin);
  const { passkey } = database.prisma;
  const found = await passkey.findUnique({
    where: { credentialId: response.id },
    include: { user: { select: { emailVerified: true } } },
  });
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  return refusingFaults(async () => {
    if (!found) throw passkeyRefused();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => spendChallenge(challenge, { database, clock }),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: found.credentialId,
        publicKey: new Uint8Array(found.publicKey),
        counter: Number(found.counter),
      },
      requireUserVerification: true,
    });
    if (!verified) throw passkeyRefused();
    await passkey.update({
      where: { id: found.id },
      data: { counter: BigInt(authenticationInfo.newCounter), lastUsedAt: clock() },
      select: { id: true },
    });
    return { userId: found.userId, emailVerified: found.user.emailVerified };
  });
}

async function spendChallenge(
  challenge: string,
  { database: { prisma }, clock }: Pick<AccountServices, 'database' | 'clock'>,
): Promise<boolean> {
  const isCurrent = (await readSecret('passkey-sign-in', challenge, clock(), prisma)) !== undefined;
  return isCurrent && (await spendSecret('passkey-sign-in', challenge, prisma));
}
