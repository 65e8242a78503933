const lengthMin = 10;
const lengthMax = 128;

/**
 * A hint about the length of a new password before it is sent. Only the server checks whether it is
 * easy to guess, so the hint never calls a password strong.
 */
export function passwordLengthHint(password: string): string {
  const length = [...password].length;
  if (length === 0) return `At least ${lengthMin} characters. A sentence is easy to remember.`;
  if (length < lengthMin)
    return `${lengthMin - length} more needed: a password has at least ${lengthMin} characters.`;
  if (length > lengthMax) return `A password has at most ${lengthMax} characters.`;
  return 'Long enough. A few words of your own are hard to guess.';
}
