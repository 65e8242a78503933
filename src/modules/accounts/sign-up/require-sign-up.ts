import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { previewInvitation } from '../../invitations/preview-invitation.ts';
import { readOffer, refusalReasonFor } from '../../sponsorship/redeeming/read-offer.ts';
import type { SignInOptions } from '../sign-in/sign-in-options.ts';

type SignUpRequest = { email: string; returnPath: string };
type RequireSignUpDependencies = { database: Database; clock: Clock; options: SignInOptions };

/**
 * With SIGN_UP=by-link, rejects a sign-up unless the person is on the way to a sponsored link or an
 * invitation that is valid for their address.
 */
export async function requireSignUp(
  { email, returnPath }: SignUpRequest,
  { database, clock, options }: RequireSignUpDependencies,
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
    // The page of an invalid link shows its error itself.
    if (!(error instanceof AppError)) throw error;
  }
  throw new AppError(
    'FORBIDDEN',
    'Accounts are made by invitation here; ask your administrator for one',
    'SIGN_UP_CLOSED',
  );
}
