import * as scrypt from 'better-auth/crypto';
import { inputError } from '../../../platform/errors.ts';
import { createHashQueue, type HashRequester } from './hash-queue.ts';

// A hash takes 32 MB and one core for 0.1 s. With more than two at a time every other request would
// wait.
const queue = createHashQueue({ concurrencyMax: 2, waitingMax: 40, waitingOfNetworkMax: 8 });

// The longest password that Atrium accepts is the password of a link, with 200 characters of up to
// two UTF-16 units each. Before it hashes, scrypt's wrapper normalizes the text (NFKC), which takes
// quadratic time: 900 kB of combining marks block the process for 38 seconds.
const passwordUnitsMax = 400;

/**
 * Callers that anybody can reach without a credential pass `requester`, so that their hashes wait
 * in the bounded queue. Callers that checked a credential first leave it out.
 */
export async function hashPassword(password: string, requester?: HashRequester): Promise<string> {
  if (password.length > passwordUnitsMax)
    throw inputError(
      'password',
      'TOO_LONG',
      `password must not be longer than ${passwordUnitsMax} UTF-16 units`,
    );
  return queue.run(() => scrypt.hashPassword(password), requester);
}

type StoredPassword = { hash: string | null | undefined; password: string };

/**
 * Compares a password with a stored hash. A password that is too long is wrong, and without a hash
 * every password is wrong. Both comparisons take as long as any other, so the time does not reveal
 * whether the account exists.
 */
export const verifyPassword = (
  { hash, password }: StoredPassword,
  requester?: HashRequester,
): Promise<boolean> =>
  queue.run(async () => {
    if (hash && password.length <= passwordUnitsMax)
      return scrypt.verifyPassword({ hash, password });
    await scrypt.hashPassword('a fixed text');
    return false;
  }, requester);
