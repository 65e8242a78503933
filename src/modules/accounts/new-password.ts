import { isStorable } from '../../graph/scalars.ts';
import { inputError } from '../../platform/errors.ts';
import { isEasyToGuess, type PersonalTexts } from './password-strength.ts';

export const passwordMin = 10;
export const passwordMax = 128;
export const passwordRule = `A password has ${passwordMin} to ${passwordMax} characters and is not easy to guess: a few words of your own are better than one word, your name or a row of digits.`;

/**
 * A password that somebody chooses, as it was typed: spaces at its ends included, lengths in code
 * points. It may still be easy to guess.
 */
export function parseNewPassword(value: unknown): string | undefined {
  if (!isStorable(value) || value.length > 2 * passwordMax) return undefined;
  const length = [...value].length;
  return length >= passwordMin && length <= passwordMax ? value : undefined;
}

/**
 * Refuses a password that is easy to guess. Not part of the scalar `NewPassword`: the scalar knows
 * nothing of the person, and anybody can send one request with many values of it, each of which
 * would cost an estimate.
 */
export function requireStrongPassword(password: string, personalTexts: PersonalTexts): void {
  if (isEasyToGuess(password, personalTexts))
    throw inputError('password', 'INVALID', passwordRule, 'PASSWORD_EASY_TO_GUESS');
}
