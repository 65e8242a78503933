import { inputError } from '../../../platform/errors.ts';
import { isStorable } from '../../../platform/plain-text.ts';
import { isEasyToGuess, type PersonalTexts } from './password-strength.ts';

export const passwordMin = 10;
export const passwordMax = 128;
export const passwordRule = `A password has ${passwordMin} to ${passwordMax} characters and is not easy to guess: a few words of your own are better than one word, your name or a row of digits.`;

/**
 * Returns the password as it was typed, with spaces at its ends, or undefined if its length in code
 * points is out of bounds. The password may still be easy to guess.
 */
export function parseNewPassword(value: unknown): string | undefined {
  if (!isStorable(value) || value.length > 2 * passwordMax) return undefined;
  const length = [...value].length;
  return length >= passwordMin && length <= passwordMax ? value : undefined;
}

/**
 * Rejects a password that is easy to guess. The rule of the argument does not do it: it does not
 * know the person, and one anonymous request can contain many such arguments, each of which
 * would cost an estimate.
 */
export function requireStrongPassword(password: string, personalTexts: PersonalTexts): void {
  if (isEasyToGuess(password, personalTexts))
    throw inputError('password', 'INVALID', passwordRule, 'PASSWORD_EASY_TO_GUESS');
}
