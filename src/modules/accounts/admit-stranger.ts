import { getOAuthState } from 'better-auth/api';
import { AppError } from '../../platform/errors.ts';
import { parseEmailAddress } from '../users/email-address.ts';
import type { AccountParts } from './parts.ts';
import { requireSignUp } from './require-sign-up.ts';

type Stranger = { email: string; emailVerified: boolean };

/** Who comes from another site without having an account here gets one: for an address that the other site has checked, and where sign-up is open to them. */
export async function admitStranger<User extends Stranger>(user: User, parts: AccountParts): Promise<{ data: User & { image: null } }> {
  const { callbackURL: returnPath = '/' } = (await getOAuthState()) ?? {};
  if (!user.emailVerified || parseEmailAddress(user.email) !== user.email) throw new AppError('FORBIDDEN', 'address not verified');
  await requireSignUp({ email: user.email, returnPath }, parts);
  // Pages of ours show nothing of other sites.
  return { data: { ...user, image: null } };
}
