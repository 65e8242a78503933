import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { emailNotVerified } from '../account-errors.ts';
import type { AccountServices } from '../account-services.ts';
import { consumeSecret, issueSecret, readSecret } from '../secret-link.ts';
import { openSession } from '../sessions/open-session.ts';
import {
  passkeyRejected,
  passkeySignInResponse,
  rejectInvalidPasskey,
  relyingPartyAt,
} from './passkey-response.ts';
import { readPendingSignIn } from './pending-sign-in.ts';
import { recordSecondStep } from './record-second-step.ts';

type SignInResponse = z.output<typeof passkeySignInResponse>;

const body = z.object({ passkey: z.unknown(), rememberMe: z.boolean().default(true) });

/**
 * A sign-in with a passkey needs no second step: the device is one factor, and the fingerprint,
 * face or PIN that it requires is the other.
 */
export const passkeySignIn = (services: AccountServices) =>
  ({
    id: 'atrium-passkey-sign-in',
    endpoints: {
      /**
       * Returns `PublicKeyCredentialRequestOptionsJSON`. In the second step of a sign-in it lists
       * the passkeys of that account.
       */
      passkeyOptions: createAuthEndpoint(
        '/passkey/options',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true },
        async (ctx) => {
          const { id: rpId } = relyingPartyAt(services.originOf(ctx.request));
          const { database } = services;
          const pendingSignIn = await readPendingSignIn(ctx, services);
          const passkeys = pendingSignIn
            ? await database.sql<{ credentialId: string; transports: string[] }>`
                select credential_id as "credentialId", transports from passkeys where user_id = ${pendingSignIn.userId}`
            : [];
          const challenge = await issueSecret('passkey-sign-in', {}, services.clock(), database);
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
          if (!parsed.success) throw passkeyRejected();
          const { userId, emailVerified } = await verifyOwner(
            parsed.data,
            services.originOf(ctx.request),
            services,
          );
          if (services.options.emailVerification === 'required' && !emailVerified)
            throw emailNotVerified();
          const pendingSignIn = await readPendingSignIn(ctx, services);
          await pendingSignIn?.finish();
          await recordSecondStep(
            { userId, result: 'PASSKEY', headers: ctx.request.headers },
            services,
          );
          const endsWithBrowser = !ctx.body.rememberMe || pendingSignIn?.endsWithBrowser === true;
          return ctx.json(
            await openSession(ctx, userId, { endsWithBrowser, secondFactorAt: services.clock() }),
          );
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

type StoredPasskey = {
  id: string;
  userId: string;
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  emailVerified: boolean;
};

/** Verifies the signature of the challenge and returns the owner of the passkey. */
async function verifyOwner(
  response: SignInResponse,
  origin: string,
  { database, clock }: AccountServices,
): Promise<{ userId: string; emailVerified: boolean }> {
  const relyingParty = relyingPartyAt(origin);
  const [stored] = await database.sql<StoredPasskey>`
    select p.id, p.user_id as "userId", p.credential_id as "credentialId", p.public_key as "publicKey", p.counter,
      u.email_verified as "emailVerified"
    from passkeys p join users u on u.id = p.user_id where p.credential_id = ${response.id}`;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  return rejectInvalidPasskey(async () => {
    if (!stored) throw passkeyRejected();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => consumeChallenge(challenge, { database, clock }),
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: {
        id: stored.credentialId,
        publicKey: new Uint8Array(stored.publicKey),
        counter: stored.counter,
      },
      requireUserVerification: true,
    });
    if (!verified) throw passkeyRejected();
    await database.sql`
      update passkeys set counter = ${authenticationInfo.newCounter}, last_used_at = ${clock()} where id = ${stored.id}`;
    return { userId: stored.userId, emailVerified: stored.emailVerified };
  });
}

async function consumeChallenge(
  challenge: string,
  { database, clock }: Pick<AccountServices, 'database' | 'clock'>,
): Promise<boolean> {
  const isCurrent =
    (await readSecret('passkey-sign-in', challenge, clock(), database)) !== undefined;
  return isCurrent && (await consumeSecret('passkey-sign-in', challenge, database));
}
