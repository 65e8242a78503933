/**
 * A vector in the text form of `halfvec`, whose numbers are at most 65,504 and lose their digits
 * below 0.0001. Vectors outside of that are stored with their largest number as 1: the cosine, the
 * only measure of a search, is the same.
 */
const largestNumber = 60_000;
const smallestNumber = 0.001;

export function toHalfVector(vector: Float32Array): string {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const isInRange = largest === 0 || (largest >= smallestNumber && largest <= largestNumber);
  const numbers = isInRange ? vector : vector.map((number) => number / largest);
  return `[${numbers.join(',')}]`;
}

export const fromHalfVector = (text: unknown): Float32Array =>
  Float32Array.from(JSON.parse(String(text)));
