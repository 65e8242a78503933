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
  const [user] = await inTransaction(database, async (tx) => {
    tx.enqueue`delete from authenticator_apps where user_id = ${userId} and confirmed_at is null`;
    const at = clock();
    tx.enqueue`
      insert into authenticator_apps (id, user_id, secret, created_at)
      values (${newId(at.getTime())}, ${userId}, ${encrypted}, ${at})`;
    return tx.commitWith<{ email: string }>`select email from users where id = ${userId}`;
  });
  if (!user) throw notFound('User');
  return { secret, uri: totpUri({ secret, account: user.email, issuer }) };
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
  const [pendingApp] = await database.sql<{ id: string; secret: string }>`
    select id, secret from authenticator_apps where user_id = ${userId} and confirmed_at is null limit 1`;
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
    change: 'authenticatorAppAdded',
    run: async (tx, at) => {
      const confirmed = await tx.sql`
        update authenticator_apps set confirmed_at = ${at}, last_step = ${lastStep}
        where id = ${pendingApp.id} and confirmed_at is null returning id`;
      if (confirmed.length === 0) throw notFound('Authenticator app');
      tx.enqueue`delete from authenticator_apps where user_id = ${userId} and id <> ${pendingApp.id}`;
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
    change: 'authenticatorAppRemoved',
    run: async (tx) => {
      const removed = await tx.sql`
        delete from authenticator_apps where user_id = ${userId} returning id`;
      if (removed.length === 0) throw notFound('Authenticator app');
      await disableIfNoneLeft(userId, tx);
    },
  });
}
