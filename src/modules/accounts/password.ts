import * as scrypt from 'better-auth/crypto';
import { inputError } from '../../platform/errors.ts';
import { createHashQueue, type HashTurn } from './hash-queue.ts';

// A hash takes 32 MB and a core for 0.1 s. More than two at a time would keep every other request
// waiting.
const queue = createHashQueue({ atOnceMax: 2, waitingMax: 40, waitingOfNetworkMax: 8 });

// The longest password that any rule admits is a link's, with 200 characters of up to two units
// each. Before it hashes, scrypt's wrapper normalizes the text (NFKC), which takes quadratic time:
// 900 kB of combining marks block the process for 38 seconds.
const passwordUnitsMax = 400;

/**
 * `turn` names who asks where anybody can ask; rules that looked at a credential first leave it
 * out.
 */
export async function hashPassword(password: string, turn?: HashTurn): Promise<string> {
  if (password.length > passwordUnitsMax)
    throw inputError(
      'password',
      'TOO_LONG',
      `password must not be longer than ${passwordUnitsMax} UTF-16 units`,
    );
  return queue.run(() => scrypt.hashPassword(password), turn);
}

type StoredPassword = { hash: string | null | undefined; password: string };

/**
 * A password that is too long is wrong. Without a hash, every password is wrong. Either takes as
 * long as any other wrong password.
 */
export const verifyPassword = (
  { hash, password }: StoredPassword,
  turn?: HashTurn,
): Promise<boolean> =>
  queue.run(async () => {
    if (hash && password.length <= passwordUnitsMax)
      return scrypt.verifyPassword({ hash, password });
    await scrypt.hashPassword('a fixed text');
    return false;
  }, turn);
