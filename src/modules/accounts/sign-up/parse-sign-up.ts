import {
  hasDirectionControl,
  isStorable,
  isVisible,
  namesSite,
} from '../../../platform/plain-text.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { emailMessage, invalidFields, returnPathMessage } from '../account-errors.ts';
import { parseNewPassword, passwordRule } from '../passwords/new-password.ts';
import { isEasyToGuess, type PersonalTexts } from '../passwords/password-strength.ts';
import { parseReturnPath } from '../return-path.ts';

export type SignUpInput = {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  returnPath: string;
};

const nameMax = 200;
export const firstNameMessage = `A first name has 1 to ${nameMax} characters and no address of a site.`;
const lastNameMessage = `A last name has at most ${nameMax} characters and no address of a site.`;

/** Parses the form of a sign-up. The error names every field that is invalid. */
export function parseSignUp({
  email: rawEmail,
  password: rawPassword,
  firstName: rawFirstName,
  lastName: rawLastName = '',
  callbackPath = '/',
}: Record<string, unknown>): SignUpInput {
  const email = parseEmailAddress(rawEmail);
  const firstName = parseName(rawFirstName);
  const lastName = parseName(rawLastName);
  const password = parseStrongPassword(rawPassword, [email, firstName, lastName]);
  const returnPath = parseReturnPath(callbackPath);
  if (
    email !== undefined &&
    password !== undefined &&
    firstName &&
    lastName !== undefined &&
    returnPath !== undefined
  ) {
    return { email, password, firstName, lastName, returnPath };
  }
  throw invalidFields({
    ...(email === undefined && { email: emailMessage }),
    ...(password === undefined && { password: passwordRule }),
    ...(!firstName && { firstName: firstNameMessage }),
    ...(lastName === undefined && { lastName: lastNameMessage }),
    ...(returnPath === undefined && { callbackPath: returnPathMessage }),
  });
}

type LinkPasswordInput = { password?: unknown; firstName?: unknown; lastName?: unknown };

function parseStrongPassword(value: unknown, personalTexts: PersonalTexts): string | undefined {
  const password = parseNewPassword(value);
  return password === undefined || isEasyToGuess(password, personalTexts) ? undefined : password;
}

/**
 * Parses the form on the page of a link. The password may be absent: the response then says whether
 * one is needed. Whether it is easy to guess is checked later, when the link has identified the
 * person.
 */
export function parseLinkPassword({
  password: rawPassword,
  firstName: rawFirstName,
  lastName: rawLastName = '',
}: LinkPasswordInput) {
  if (rawPassword === undefined) return { password: undefined, names: undefined };
  const password = parseNewPassword(rawPassword);
  const firstName = rawFirstName === undefined ? '' : parseName(rawFirstName);
  const lastName = parseName(rawLastName);
  if (password === undefined || firstName === undefined || lastName === undefined) {
    throw invalidFields({
      ...(password === undefined && { password: passwordRule }),
      ...(firstName === undefined && { firstName: firstNameMessage }),
      ...(lastName === undefined && { lastName: lastNameMessage }),
    });
  }
  return { password, names: firstName === '' ? undefined : { firstName, lastName } };
}

function parseName(value: unknown): string | undefined {
  if (!isStorable(value) || value.length > 4 * nameMax) return undefined;
  const name = value.trim();
  const isPlain =
    !/\p{Cc}/u.test(name) &&
    !hasDirectionControl(name) &&
    !namesSite(name) &&
    (name === '' || isVisible(name));
  return isPlain && [...name].length <= nameMax ? name : undefined;
}
