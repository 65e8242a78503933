import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import type { LogoType } from '../../../platform/database/generated/client.ts';
import { inputError } from '../../../platform/errors.ts';

export const logoBytesMax = 204_800;

/** The types that a logo may have. SVG is not allowed, because it can contain scripts. */
export const logoMediaTypes = {
  PNG: 'image/png',
  JPEG: 'image/jpeg',
  WEBP: 'image/webp',
} as const satisfies Record<LogoType, string>;

export type Logo = { bytes: Buffer; type: LogoType; hash: string };

const typesByMediaType = new Map<string, LogoType>([
  [logoMediaTypes.PNG, 'PNG'],
  [logoMediaTypes.JPEG, 'JPEG'],
  [logoMediaTypes.WEBP, 'WEBP'],
]);

/** Reads a logo from Base64. Its content decides the type. */
export async function readLogo(base64: string): Promise<Logo> {
  const bytes = Buffer.from(base64, 'base64');
  // Node ignores what is not Base64.
  if (bytes.length === 0 || bytes.toString('base64') !== base64)
    throw inputError('logo', 'INVALID', 'logo must be an image in Base64 with padding');
  if (bytes.length > logoBytesMax)
    throw inputError('logo', 'TOO_LONG', `logo must be an image of at most ${logoBytesMax} bytes`);
  const detected = await fileTypeFromBuffer(bytes);
  const type = typesByMediaType.get(detected?.mime ?? '');
  if (!type) throw inputError('logo', 'INVALID', 'logo must be a PNG, JPEG or WebP image');
  return { bytes, type, hash: createHash('sha256').update(bytes).digest('hex') };
}
