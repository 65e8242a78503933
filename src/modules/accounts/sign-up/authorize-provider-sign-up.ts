import { APIError, getOAuthState } from 'better-auth/api';
import { AppError } from '../../../platform/errors.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import type { AccountServices } from '../account-services.ts';
import { requireSignUp } from './require-sign-up.ts';

type ProviderUser = { email: string; emailVerified: boolean };

// better-auth appends the message to the URL of the page to which it sends people back.
const forbidden = (message: string) => new APIError('FORBIDDEN', { message });

/**
 * Decides whether a person who signs in with a provider for the first time gets an account: the
 * provider must have verified the address, and sign-up must be open to the person.
 */
export async function authorizeProviderSignUp<User extends ProviderUser>(
  user: User,
  services: AccountServices,
): Promise<{ data: User & { image: null } }> {
  if (!user.emailVerified || parseEmailAddress(user.email) !== user.email)
    throw forbidden('address not verified');
  const { callbackURL: returnPath = '/' } = (await getOAuthState()) ?? {};
  try {
    await requireSignUp({ email: user.email, returnPath }, services);
  } catch (error) {
    throw error instanceof AppError ? forbidden('sign up closed') : error;
  }
  // Our pages show no content of other sites, so the profile picture is not stored.
  return { data: { ...user, image: null } };
}
