import { isStorable } from '../../graph/scalars.ts';
import { parseEmailAddress } from '../users/email-address.ts';
import { parseNewPassword, passwordMax, passwordMin } from './new-password.ts';
import { wrongEmail, wrongFields, wrongReturnPath } from './refusals.ts';
import { parseReturnPath } from './return-path.ts';

export type SignUp = { email: string; password: string; firstName: string; lastName: string; returnPath: string };

const nameMax = 200;
export const passwordRule = `A password has ${passwordMin} to ${passwordMax} characters.`;

/** What somebody typed to get an account, or a refusal that names every field that is wrong. */
export function readSignUp({ email: written, password: chosen, firstName: first, lastName: last = '', callbackPath = '/' }: Record<string, unknown>): SignUp {
  const email = parseEmailAddress(written);
  const password = parseNewPassword(chosen);
  const firstName = parseName(first);
  const lastName = parseName(last);
  const returnPath = parseReturnPath(callbackPath);
  if (email !== undefined && password !== undefined && firstName && lastName !== undefined && returnPath !== undefined) {
    return { email, password, firstName, lastName, returnPath };
  }
  throw wrongFields({
    ...(email === undefined && { email: wrongEmail }),
    ...(password === undefined && { password: passwordRule }),
    ...(!firstName && { firstName: `A first name has 1 to ${nameMax} characters.` }),
    ...(lastName === undefined && { lastName: `A last name has at most ${nameMax} characters.` }),
    ...(returnPath === undefined && { callbackPath: wrongReturnPath }),
  });
}

function parseName(value: unknown): string | undefined {
  if (!isStorable(value) || value.length > 4 * nameMax) return undefined;
  const name = value.trim();
  return [...name].length <= nameMax && !/\p{Cc}/u.test(name) ? name : undefined;
}
