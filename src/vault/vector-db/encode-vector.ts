/**
 * Little-endian float32 numbers in base64. In a file of its own, because the program that reads
 * documents uses it and can load no file outside of the vault.
 */
export function encodeVector(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
