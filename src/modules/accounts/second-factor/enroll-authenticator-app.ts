import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';
import {
  changeSecondFactor,
  disableIfNoneLeft,
  enableSecondFactor,
  type SecondFactorOwner,
  type SecondFactorServices,
} from './change-second-factor.ts';
import { countSecondFactorAttempt } from './second-factor-attempts.ts';
import { matchingStep, newTotpSecret, totpUri } from './totp.ts';

const issuer = 'Atrium';

/**
 * Creates the secret for a new authenticator app. The current app stays valid until the new one is
 * confirmed.
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

type AppConfirmation = SecondFactorOwner & { code: string; network: string };

/**
 * Activates the new authenticator app with one of its codes and removes the previous app. Returns
 * recovery codes if it is the account's first factor.
 */
export async function confirmAuthenticatorApp(
  { code, network, ...owner }: AppConfirmation,
  services: SecondFactorServices,
): Promise<string[]> {
  const { database, clock, limits, secretCipher } = services;
  const { userId } = owner;
  await countSecondFactorAttempt({ userId, network }, limits);
  const pendingApp = await database.prisma.authenticatorApp.findFirst({
    where: { userId, confirmedAt: null },
    select: { id: true, secret: true },
  });
  if (!pendingApp) throw notFound('Authenticator app');
  const lastStep = matchingStep(
    await secretCipher.decrypt(pendingApp.secret),
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
        where: { id: pendingApp.id, confirmedAt: null },
        data: { confirmedAt: at, lastStep },
      });
      if (count === 0) throw notFound('Authenticator app');
      await tx.authenticatorApp.deleteMany({ where: { userId, id: { not: pendingApp.id } } });
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
      await disableIfNoneLeft(userId, tx);
    },
  });
}
