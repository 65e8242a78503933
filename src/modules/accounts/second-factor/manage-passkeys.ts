import type { Prisma } from '../../../platform/database/generated/client.ts';
import { withoutTenantScope } from '../../../platform/database/scoped-prisma.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';
import { issueSecret, readSecret, spendSecret } from '../secret-link.ts';
import {
  changeSecondFactor,
  disableUnlessLeft,
  enableSecondFactor,
  type SecondFactorOwner,
  type SecondFactorServices,
} from './change-second-factor.ts';
import {
  newPasskeyResponse,
  passkeyRefused,
  refusingFaults,
  relyingPartyAt,
} from './passkey-response.ts';

const passkeysMax = 20;
const name = 'Atrium';
/** EdDSA, ECDSA with P-256, RSA with PKCS #1: what authenticators in use can do. */
const algorithms = [-8, -7, -257];

/** What a browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON`. */
export async function startPasskey(
  { userId, sessionId }: SecondFactorOwner,
  services: SecondFactorServices,
): Promise<object> {
  const { database, clock, origin } = services;
  const { id } = relyingPartyAt(origin);
  await requireRecentSignIn(sessionId, services);
  const select = { email: true, firstName: true, passkeys: { select: { credentialId: true } } };
  const { email, firstName, passkeys } = await database.prisma.user.findUniqueOrThrow({
    where: { id: userId },
    select,
  });
  if (passkeys.length >= passkeysMax)
    throw new AppError('CONFLICT', `An account has at most ${passkeysMax} passkeys`);
  // Challenges are stored beside the secrets of links, which no signed-in person may read.
  const challenge = await inTransaction(database, (tx) =>
    withoutTenantScope(tx, () => issueSecret('new-passkey', { userId }, clock(), tx)),
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
    excludeCredentials: passkeys.map(({ credentialId }) => ({
      type: 'public-key',
      id: credentialId,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  };
}

type AddPasskey = SecondFactorOwner & { label: string; response: unknown };

/**
 * Stores a passkey that the browser made for a challenge of ours. Answers recovery codes with the
 * account's first factor.
 */
export async function addPasskey(
  { label, response, ...owner }: AddPasskey,
  services: SecondFactorServices,
): Promise<string[]> {
  const { userId } = owner;
  const passkey = await verified(response, userId, services);
  return changeSecondFactor(owner, services, {
    action: 'add-passkey',
    message: 'A passkey was added to your account',
    run: async (tx, at) => {
      await tx.passkey.create({
        data: { ...passkey, id: newId(at.getTime()), userId, name: label, createdAt: at },
        select: { id: true },
      });
      return enableSecondFactor(owner, at, tx);
    },
  });
}

type NewPasskey = Pick<
  Prisma.PasskeyUncheckedCreateInput,
  'credentialId' | 'publicKey' | 'counter'
> & { transports: string[] };

async function verified(
  given: unknown,
  userId: string,
  { database, clock, origin }: SecondFactorServices,
): Promise<NewPasskey> {
  const party = relyingPartyAt(origin);
  const parsed = newPasskeyResponse.safeParse(given);
  if (!parsed.success) throw passkeyRefused();
  const spend = (challenge: string) =>
    inTransaction(database, (tx) =>
      withoutTenantScope(tx, async () => {
        const about = await readSecret('new-passkey', challenge, clock(), tx);
        return (
          about === JSON.stringify({ userId }) && (await spendSecret('new-passkey', challenge, tx))
        );
      }),
    );
  // Loaded by the first passkey: most processes never see one.
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return refusingFaults(async () => {
    // A certificate in the attestation would be checked against a list at an address that the
    // certificate names. We ask for none.
    const statement = decodeAttestationObject(
      Buffer.from(parsed.data.response.attestationObject, 'base64url'),
    ).get('attStmt');
    if (statement.get('x5c') !== undefined) throw passkeyRefused();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: parsed.data,
      expectedChallenge: spend,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!registrationInfo) throw passkeyRefused();
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: new Uint8Array(publicKey),
      counter: BigInt(counter),
      transports: parsed.data.response.transports,
    };
  });
}

export async function renamePasskey(
  { id, userId, label }: { id: string; userId: string; label: string },
  { database }: SecondFactorServices,
): Promise<void> {
  const { count } = await database.prisma.passkey.updateMany({
    where: { id, userId },
    data: { name: label },
  });
  if (count === 0) throw notFound('Passkey');
}

export function removePasskey(
  { id, ...owner }: SecondFactorOwner & { id: string },
  services: SecondFactorServices,
): Promise<void> {
  return changeSecondFactor(owner, services, {
    action: 'remove-passkey',
    message: 'A passkey was removed from your account',
    run: async (tx) => {
      const { count } = await tx.passkey.deleteMany({ where: { id, userId: owner.userId } });
      if (count === 0) throw notFound('Passkey');
      await disableUnlessLeft(owner.userId, tx);
    },
  });
}
