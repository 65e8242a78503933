/**
 * A sketch of a vector has two bits for each number: its sign, and whether it is large. The limits
 * and values are those with the smallest error for numbers of a normal distribution (Max 1960), in
 * standard deviations.
 */
const largeFrom = 0.9816;
const values = [-1.51, -0.4528, 0.4528, 1.51] as const;
export const numbersPerByte = 4;

export const sketchBytes = (dimensions: number): number => Math.ceil(dimensions / numbersPerByte);

export function sketchesOf(vectors: readonly Float32Array[]): Uint8Array {
  const bytesEach = sketchBytes(vectors[0]?.length ?? 0);
  const bytes = new Uint8Array(vectors.length * bytesEach);
  for (const [index, vector] of vectors.entries()) {
    const limit = largeFrom * deviationOf(vector);
    for (let at = 0; at < vector.length; at += 1) {
      const value = vector[at] ?? 0;
      const level = value > 0 ? (value > limit ? 3 : 2) : value < -limit ? 0 : 1;
      const byte = index * bytesEach + (at >> 2);
      bytes[byte] = (bytes[byte] ?? 0) | (level << ((at & 3) * 2));
    }
  }
  return bytes;
}

const deviationOf = (vector: Float32Array): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0) / Math.max(1, vector.length));

/**
 * For each byte of a sketch and each value of it, its share of the product with the vector. A
 * product with a sketch is then one sum of as many numbers as the sketch has bytes.
 */
export function productTable(vector: Float32Array): Float32Array {
  const table = new Float32Array(sketchBytes(vector.length) * 256);
  for (let byte = 0; byte * 256 < table.length; byte += 1)
    for (let value = 0; value < 256; value += 1) {
      let sum = 0;
      for (let number = 0; number < numbersPerByte; number += 1)
        sum +=
          (vector[byte * numbersPerByte + number] ?? 0) *
          (values[(value >> (number * 2)) & 3] ?? 0);
      table[byte * 256 + value] = sum;
    }
  return table;
}
