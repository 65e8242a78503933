import type { Database } from '../../../platform/database/database.ts';
import type { Language } from '../../../platform/database/generated/client.ts';
import { AppError } from '../../../platform/errors.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import { countSignInAttempt } from '../sign-in/sign-in-attempts.ts';
import { verifyPassword } from './password.ts';

type PasswordCheck = { userId: string; password: string };
type PasswordOwner = { email: string; firstName: string; lastName: string; language: Language };

/**
 * Rejects the request unless this is the account's password. Every attempt counts like a sign-in.
 * Returns the account's address, names and language.
 */
export async function requirePassword(
  { userId, password }: PasswordCheck,
  { database, limits }: { database: Database; limits: RateLimits },
): Promise<PasswordOwner> {
  const [account] = await database.sql<PasswordOwner & { hash: string }>`
    select u.email, u.first_name as "firstName", u.last_name as "lastName", coalesce(u.language, 'EN') as language, a.password as hash
    from users u join accounts a on a.user_id = u.id and a.provider_id = 'credential'
    where u.id = ${userId} and a.password is not null`;
  if (!account)
    throw new AppError(
      'CONFLICT',
      'This account has no password yet: choose one by “Forgot your password?”',
      'NO_PASSWORD',
    );
  const { hash, ...person } = account;
  // A signed-in person has a separate count that nobody else can use up.
  await countSignInAttempt({ email: person.email, network: 'signed in', device: userId }, limits);
  if (!(await verifyPassword({ hash, password })))
    throw new AppError('FORBIDDEN', 'The current password is wrong', 'PASSWORD_WRONG');
  return person;
}
