/** Scales a vector to length 1 in place. The zero vector is not changed. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / length;
  return vector;
}
