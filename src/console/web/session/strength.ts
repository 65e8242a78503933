const lengthMin = 10;
const lengthMax = 128;

/**
 * What can be said of a new password before it is sent. Only the server judges whether it is easy
 * to guess, so nothing here calls it strong.
 */
export function strengthOf(password: string): string {
  const length = [...password].length;
  if (length === 0) return `At least ${lengthMin} characters. A sentence is easy to remember.`;
  if (length < lengthMin)
    return `${lengthMin - length} more, please: at least ${lengthMin} characters.`;
  if (length > lengthMax) return `At most ${lengthMax} characters, please.`;
  return 'Long enough. A few words of your own are hard to guess.';
}
