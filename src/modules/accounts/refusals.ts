import { APIError } from 'better-auth/api';
import { AppError } from '../../platform/errors.ts';

/** Names what is wrong with each field of a form. */
export const wrongFields = (fields: Record<string, string>) =>
  new APIError('BAD_REQUEST', { code: 'BAD_INPUT', message: Object.values(fields).join(' '), fields });

export const deadLink = () => new AppError('NOT_FOUND', 'This link was used already, has expired, or is not complete', 'LINK_NOT_VALID');

export const accountExists = () =>
  new AppError('CONFLICT', 'There is an account with this e-mail address already. Sign in, or choose a new password', 'ACCOUNT_EXISTS');

export const unverified = () => new AppError('FORBIDDEN', 'Please confirm your e-mail address first: we have sent you a link', 'EMAIL_NOT_VERIFIED');

export const wrongReturnPath = 'The way back must be a path of this site.';
export const wrongEmail = 'This is not an e-mail address.';
