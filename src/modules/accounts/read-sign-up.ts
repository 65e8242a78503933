import { isStorable } from '../../graph/scalars.ts';
import { hasDirectionControl, isVisible, namesSite } from '../../platform/plain-text.ts';
import { parseEmailAddress } from '../users/email-address.ts';
import { parseNewPassword, passwordRule } from './new-password.ts';
import { isEasyToGuess, type PersonalTexts } from './password-strength.ts';
import { wrongEmail, wrongFields, wrongReturnPath } from './refusals.ts';
import { parseReturnPath } from './return-path.ts';

export type SignUp = {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  returnPath: string;
};

const nameMax = 200;
export const wrongFirstName = `A first name has 1 to ${nameMax} characters and no address of a site.`;
const wrongLastName = `A last name has at most ${nameMax} characters and no address of a site.`;

/** What somebody typed to get an account, or a refusal that names every field that is wrong. */
export function readSignUp({
  email: written,
  password: chosen,
  firstName: first,
  lastName: last = '',
  callbackPath = '/',
}: Record<string, unknown>): SignUp {
  const email = parseEmailAddress(written);
  const firstName = parseName(first);
  const lastName = parseName(last);
  const password = parseStrongPassword(chosen, [email, firstName, lastName]);
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
  throw wrongFields({
    ...(email === undefined && { email: wrongEmail }),
    ...(password === undefined && { password: passwordRule }),
    ...(!firstName && { firstName: wrongFirstName }),
    ...(lastName === undefined && { lastName: wrongLastName }),
    ...(returnPath === undefined && { callbackPath: wrongReturnPath }),
  });
}

type NewPassword = { password?: unknown; firstName?: unknown; lastName?: unknown };

function parseStrongPassword(value: unknown, personalTexts: PersonalTexts): string | undefined {
  const password = parseNewPassword(value);
  return password === undefined || isEasyToGuess(password, personalTexts) ? undefined : password;
}

/**
 * What somebody typed on the page of a link. An absent password is no fault: then the page learns
 * whether one is needed. Whether it is easy to guess is judged once the link has named the person.
 */
export function readNewPassword({
  password: chosen,
  firstName: first,
  lastName: last = '',
}: NewPassword) {
  if (chosen === undefined) return { password: undefined, names: undefined };
  const password = parseNewPassword(chosen);
  const firstName = first === undefined ? '' : parseName(first);
  const lastName = parseName(last);
  if (password === undefined || firstName === undefined || lastName === undefined) {
    throw wrongFields({
      ...(password === undefined && { password: passwordRule }),
      ...(firstName === undefined && { firstName: wrongFirstName }),
      ...(lastName === undefined && { lastName: wrongLastName }),
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
