import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { consumeSecret, issueSecret, readSecret } from '../secret-link.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';
import {
  changeSecondFactor,
  disableIfNoneLeft,
  enableSecondFactor,
  type SecondFactorOwner,
  type SecondFactorServices,
} from './change-second-factor.ts';
import {
  newPasskeyResponse,
  passkeyRejected,
  rejectInvalidPasskey,
  relyingPartyAt,
} from './passkey-response.ts';

const passkeysMax = 20;
const name = 'Atrium';
/** EdDSA, ECDSA with P-256 and RSA with PKCS #1: the algorithms of current authenticators. */
const algorithms = [-8, -7, -257];

/** Returns what a browser needs to create a passkey: `PublicKeyCredentialCreationOptionsJSON`. */
export async function startPasskey(
  { userId, sessionId }: SecondFactorOwner,
  services: SecondFactorServices,
): Promise<object> {
  const { database, clock, origin } = services;
  const { id } = relyingPartyAt(origin);
  await requireRecentSignIn(sessionId, services);
  const [user] = await database.sql<{ email: string; firstName: string; credentialIds: string[] }>`
    select email, first_name as "firstName", array(select credential_id from passkeys where user_id = users.id) as "credentialIds"
    from users where id = ${userId}`;
  if (!user) throw notFound('User');
  const { email, firstName, credentialIds } = user;
  if (credentialIds.length >= passkeysMax)
    throw new AppError(
      'CONFLICT',
      `An account has at most ${passkeysMax} passkeys`,
      'TOO_MANY_PASSKEYS',
    );
  // Challenges are in the same table as the secrets of links, which the role of a session must not
  // read.
  const challenge = await inTransaction(database, (tx) =>
    tx.withoutTenantScope(() => issueSecret('new-passkey', { userId }, clock(), tx)),
  );
  return {
    challenge,
    rp: { id, name },
    user: {
      id: Buffer.from(userId).toString('base64url'),
      name: email,
      displayName: firstName || email,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    excludeCredentials: credentialIds.map((id) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  };
}

type PasskeyRegistration = SecondFactorOwner & { label: string; response: unknown };

/**
 * Stores a passkey that the browser created for one of our challenges. Returns recovery codes if it
 * is the account's first factor.
 */
export async function addPasskey(
  { label, response, ...owner }: PasskeyRegistration,
  services: SecondFactorServices,
): Promise<string[]> {
  const { userId } = owner;
  const passkey = await verifyNewPasskey(response, userId, services);
  return changeSecondFactor(owner, services, {
    action: 'add-passkey',
    change: 'passkeyAdded',
    run: async (tx, at) => {
      const { credentialId, publicKey, counter, transports } = passkey;
      tx.enqueue`
        insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
        values (${newId(at.getTime())}, ${userId}, ${label}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${at})`;
      return enableSecondFactor(owner, at, tx);
    },
  });
}

type NewPasskey = {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
};

async function verifyNewPasskey(
  response: unknown,
  userId: string,
  { database, clock, origin }: SecondFactorServices,
): Promise<NewPasskey> {
  const relyingParty = relyingPartyAt(origin);
  const parsed = newPasskeyResponse.safeParse(response);
  if (!parsed.success) throw passkeyRejected();
  const consumeChallenge = (challenge: string) =>
    inTransaction(database, (tx) =>
      tx.withoutTenantScope(async () => {
        const stored = await readSecret('new-passkey', challenge, clock(), tx);
        return (
          stored === JSON.stringify({ userId }) &&
          (await consumeSecret('new-passkey', challenge, tx))
        );
      }),
    );
  // The library is loaded on first use, because most processes never register a passkey.
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return rejectInvalidPasskey(async () => {
    // The library would check a certificate in the attestation against a revocation list at a URL
    // that the certificate names. We request no attestation, so certificates are rejected.
    const statement = decodeAttestationObject(
      Buffer.from(parsed.data.response.attestationObject, 'base64url'),
    ).get('attStmt');
    if (statement.get('x5c') !== undefined) throw passkeyRejected();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: parsed.data,
      expectedChallenge: consumeChallenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!registrationInfo) throw passkeyRejected();
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey,
      counter,
      transports: parsed.data.response.transports,
    };
  });
}

export async function renamePasskey(
  { id, userId, label }: { id: string; userId: string; label: string },
  { database }: SecondFactorServices,
): Promise<void> {
  const renamed = await database.sql`
    update passkeys set name = ${label} where id = ${id} and user_id = ${userId} returning id`;
  if (renamed.length === 0) throw notFound('Passkey');
}

export function removePasskey(
  { id, ...owner }: SecondFactorOwner & { id: string },
  services: SecondFactorServices,
): Promise<void> {
  return changeSecondFactor(owner, services, {
    action: 'remove-passkey',
    change: 'passkeyRemoved',
    run: async (tx) => {
      const removed = await tx.sql`
        delete from passkeys where id = ${id} and user_id = ${owner.userId} returning id`;
      if (removed.length === 0) throw notFound('Passkey');
      await disableIfNoneLeft(owner.userId, tx);
    },
  });
}
