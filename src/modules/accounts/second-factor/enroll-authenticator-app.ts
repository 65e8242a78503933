import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';
import {
  changeSecondFactor,
  disableUnlessLeft,
  enableSecondFactor,
  type SecondFactorOwner,
  type SecondFactorServices,
} from './change-second-factor.ts';
import { takeSecondFactorTry } from './second-factor-tries.ts';
import { matchingStep, newTotpSecret, totpUri } from './totp.ts';

const issuer = 'Atrium';

/**
 * The secret for a new authenticator app. An app that is confirmed already works until the new one
 * is confirmed.
 */
export async function startAuthenticatorApp(
  { userId, sessionId }: SecondFactorOwner,
  services: SecondFactorServices,
): Promise<{ secret: string; uri: string }> {
  const { database, clock, secretCipher } = services;
  await requireRecentSignIn(sessionId, services);
  const secret = newTotpSecret();
  const encrypted = await secretCipher.encrypt(secret);
  const { email } = await inTransaction(database, async (tx) => {
    await tx.authenticatorApp.deleteMany({ where: { userId, confirmedAt: null } });
    const at = clock();
    await tx.authenticatorApp.create({
      data: { id: newId(at.getTime()), userId, secret: encrypted, createdAt: at },
      select: { id: true },
    });
    return tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  });
  return { secret, uri: totpUri({ secret, account: email, issuer }) };
}

type Confirm = SecondFactorOwner & { code: string; network: string };

/**
 * Puts the new authenticator app in force, in place of an earlier one, once a code of it was typed.
 * Answers recovery codes with the first factor.
 */
export async function confirmAuthenticatorApp(
  { code, network, ...owner }: Confirm,
  services: SecondFactorServices,
): Promise<string[]> {
  const { database, clock, limits, secretCipher } = services;
  const { userId } = owner;
  await takeSecondFactorTry({ userId, network }, limits);
  const found = await database.prisma.authenticatorApp.findFirst({
    where: { userId, confirmedAt: null },
    select: { id: true, secret: true },
  });
  if (!found) throw notFound('Authenticator app');
  const lastStep = matchingStep(
    await secretCipher.decrypt(found.secret),
    code.replaceAll(/\s/g, ''),
    clock(),
  );
  if (lastStep === undefined)
    throw new AppError(
      'FORBIDDEN',
      'This code is wrong. Check that the clock of the device is right',
      'CODE_WRONG',
    );
  return changeSecondFactor(owner, services, {
    action: 'add-authenticator-app',
    message: 'An authenticator app was set up for your account',
    run: async (tx, at) => {
      const { count } = await tx.authenticatorApp.updateMany({
        where: { id: found.id, confirmedAt: null },
        data: { confirmedAt: at, lastStep },
      });
      if (count === 0) throw notFound('Authenticator app');
      await tx.authenticatorApp.deleteMany({ where: { userId, id: { not: found.id } } });
      return enableSecondFactor(owner, at, tx);
    },
  });
}

export function removeAuthenticatorApp(
  owner: SecondFactorOwner,
  services: SecondFactorServices,
): Promise<void> {
  const { userId } = owner;
  return changeSecondFactor(owner, services, {
    action: 'remove-authenticator-app',
    message: 'The authenticator app of your account was removed',
    run: async (tx) => {
      const { count } = await tx.authenticatorApp.deleteMany({ where: { userId } });
      if (count === 0) throw notFound('Authenticator app');
      await disableUnlessLeft(userId, tx);
    },
  });
}
