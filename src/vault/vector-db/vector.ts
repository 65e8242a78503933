import type { z } from 'zod';
import { AppError } from '../../platform/errors.ts';

const dimensionsMax = 4096;

/** The inverse of `encodeVector`. */
export function decodeVector(text: string, what: string): Float32Array {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw new AppError('BAD_INPUT', `${what} must be base64`);
  const bytes = Buffer.from(text, 'base64');
  const dimensions = bytes.length / 4;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > dimensionsMax)
    throw new AppError('BAD_INPUT', `${what} must hold 1 to ${dimensionsMax} float32 numbers`);
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < dimensions; index++) vector[index] = bytes.readFloatLE(index * 4);
  if (!vector.every(Number.isFinite))
    throw new AppError('BAD_INPUT', `${what} must hold finite numbers only`);
  return vector;
}

export const formatIssues = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
