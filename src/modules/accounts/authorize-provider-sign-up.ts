import { APIError, getOAuthState } from 'better-auth/api';
import { AppError } from '../../platform/errors.ts';
import { parseEmailAddress } from '../users/email-address.ts';
import type { AccountServices } from './account-services.ts';
import { requireSignUp } from './require-sign-up.ts';

type Stranger = { email: string; emailVerified: boolean };

// Its message is what better-auth adds to the address of the page that people come back to.
const refusal = (message: string) => new APIError('FORBIDDEN', { message });

/**
 * Who comes from another site without having an account here gets one: for an address that the
 * other site has checked, and where sign-up is open to them.
 */
export async function authorizeProviderSignUp<User extends Stranger>(
  user: User,
  parts: AccountServices,
): Promise<{ data: User & { image: null } }> {
  if (!user.emailVerified || parseEmailAddress(user.email) !== user.email)
    throw refusal('address not verified');
  const { callbackURL: returnPath = '/' } = (await getOAuthState()) ?? {};
  try {
    await requireSignUp({ email: user.email, returnPath }, parts);
  } catch (error) {
    throw error instanceof AppError ? refusal('sign up closed') : error;
  }
  // Pages of ours show nothing of other sites.
  return { data: { ...user, image: null } };
}
