import { APIError } from 'better-auth/api';
import { AppError } from '../../platform/errors.ts';

/** An error that says for each field of a form what is wrong with it. */
export const invalidFields = (fields: Record<string, string>) =>
  new APIError('BAD_REQUEST', {
    code: 'BAD_INPUT',
    message: Object.values(fields).join(' '),
    fields,
  });

export const linkNotValid = () =>
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

export const signUpWithoutMail = () =>
  new AppError(
    'FEATURE_DISABLED',
    'This Atrium sends no mail, so it can not confirm your address. Sign in with another site',
    'NO_MAIL_FOR_PROOF',
  );

export const verificationWithoutMail = () =>
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

/** For a person whose address no link can confirm, because this Atrium sends no mail. */
export const emailNotVerifiedWithoutMail = () =>
  new AppError(
    'FORBIDDEN',
    'Your e-mail address is not confirmed, and this Atrium sends no mail. Sign in with another site',
    'NO_MAIL_FOR_PROOF',
  );

export const emailNotVerified = () =>
  new AppError(
    'FORBIDDEN',
    'Please confirm your e-mail address first: we have sent you a link',
    'EMAIL_NOT_VERIFIED',
  );

export const returnPathMessage = 'The way back must be a path of this site.';
export const emailMessage = 'This is not an e-mail address.';
