import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { previewInvitation } from '../invitations/preview-invitation.ts';
import { readOffer, refusalReasonFor } from '../sponsorship/read-offer.ts';
import type { SignInOptions } from './sign-in-options.ts';

type RequireSignUp = { email: string; returnPath: string };
type Parts = { database: Database; clock: Clock; options: SignInOptions };

/**
 * Where accounts are made by link only, whoever makes one must be on the way to a sponsored link or
 * an invitation that is good for them.
 */
export async function requireSignUp(
  { email, returnPath }: RequireSignUp,
  { database, clock, options }: Parts,
): Promise<void> {
  if (options.signUp === 'open') return;
  const { searchParams } = new URL(returnPath, 'http://atrium.invalid');
  const sponsored = searchParams.get('sponsored');
  const invitation = searchParams.get('invitation');
  try {
    if (sponsored !== null) {
      const offer = await readOffer({ token: sponsored, userId: null, at: clock() }, { database });
      if (refusalReasonFor(offer, email) === null) return;
    }
    if (
      invitation !== null &&
      (await previewInvitation({ token: invitation }, { database, clock })).email === email
    )
      return;
  } catch (error) {
    // What such a link answers to somebody who comes by it is told on its own page.
    if (!(error instanceof AppError)) throw error;
  }
  throw new AppError(
    'FORBIDDEN',
    'Accounts are made by invitation here; ask your administrator for one',
    'SIGN_UP_CLOSED',
  );
}
