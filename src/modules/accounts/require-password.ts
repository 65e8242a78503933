import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import { verifyPassword } from './password.ts';
import { takeSignInTry } from './sign-in-tries.ts';

type RequirePassword = { userId: string; password: string };
type Person = { email: string; firstName: string | null; lastName: string | null };

/**
 * Refuses unless this is the account's password. Every try counts as a sign-in does. Answers the
 * account's address and names.
 */
export async function requirePassword(
  { userId, password }: RequirePassword,
  { database, limits }: { database: Database; limits: Limits },
): Promise<Person> {
  const select = {
    email: true,
    firstName: true,
    lastName: true,
    accounts: { where: { providerId: 'credential' }, select: { password: true } },
  };
  const { accounts, ...person } = await database.prisma.user.findUniqueOrThrow({
    where: { id: userId },
    select,
  });
  const hash = accounts[0]?.password;
  if (!hash)
    throw new AppError(
      'CONFLICT',
      'This account has no password yet: choose one by “Forgot your password?”',
      'NO_PASSWORD',
    );
  // Whoever is signed in has a count of their own: nobody else can use it up.
  await takeSignInTry({ email: person.email, network: 'signed in', device: userId }, limits);
  if (!(await verifyPassword({ hash, password })))
    throw new AppError('FORBIDDEN', 'The current password is wrong', 'PASSWORD_WRONG');
  return person;
}
