import { APIError } from 'better-auth/api';
import { AppError } from '../../platform/errors.ts';

/** Names what is wrong with each field of a form. */
export const wrongFields = (fields: Record<string, string>) =>
  new APIError('BAD_REQUEST', {
    code: 'BAD_INPUT',
    message: Object.values(fields).join(' '),
    fields,
  });

export const deadLink = () =>
  new AppError(
    'NOT_FOUND',
    'This link was used already, has expired, or is not complete',
    'LINK_NOT_VALID',
  );

export const accountExists = () =>
  new AppError(
    'CONFLICT',
    'There is an account with this e-mail address already. Sign in, or choose a new password',
    'ACCOUNT_EXISTS',
  );

export const noMailForSignUp = () =>
  new AppError(
    'FEATURE_DISABLED',
    'This Atrium sends no mail, so it can not confirm your address. Sign in with another site',
    'NO_MAIL_FOR_PROOF',
  );

export const noMailForProof = () =>
  new AppError(
    'CONFLICT',
    'An organization made an account for this address. It opens by a link in a mail, and this Atrium sends no mail: ask your administrator',
    'NO_MAIL_FOR_PROOF',
  );

export const wrongCredentials = () =>
  new APIError('UNAUTHORIZED', {
    message: 'Wrong e-mail address or password',
    code: 'INVALID_EMAIL_OR_PASSWORD',
  });

/** For somebody whose address only another site can prove, because no mail goes out. */
export const unverifiedWithoutMail = () =>
  new AppError(
    'FORBIDDEN',
    'Your e-mail address is not confirmed, and this Atrium sends no mail. Sign in with another site',
    'NO_MAIL_FOR_PROOF',
  );

export const unverified = () =>
  new AppError(
    'FORBIDDEN',
    'Please confirm your e-mail address first: we have sent you a link',
    'EMAIL_NOT_VERIFIED',
  );

export const wrongReturnPath = 'The way back must be a path of this site.';
export const wrongEmail = 'This is not an e-mail address.';
