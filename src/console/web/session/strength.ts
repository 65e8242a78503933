const lengthMin = 10;
const lengthMax = 128;
const lengthGood = 16;

/** How good a new password is, in words: length is what counts. */
export function strengthOf(password: string): string {
  const length = [...password].length;
  const different = new Set(password.toLowerCase()).size;
  if (length === 0) return `At least ${lengthMin} characters. A sentence is easy to remember.`;
  if (length < lengthMin) return `${lengthMin - length} more, please: at least ${lengthMin} characters.`;
  if (length > lengthMax) return `At most ${lengthMax} characters, please.`;
  if (different < 5) return 'Easy to guess: the same characters again and again.';
  return length < lengthGood ? 'Long enough. A few words more make it strong.' : 'A strong password.';
}
