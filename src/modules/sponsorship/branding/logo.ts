import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import type { LogoType } from '../../../platform/database/generated/client.ts';
import { inputError } from '../../../platform/errors.ts';
import { imageHeaderOf } from '../../../platform/image-header.ts';

export const logoBytesMax = 204_800;
/**
 * The width and the height of a logo. A few kilobytes can unpack to an image of gigabytes in the
 * browser of a visitor.
 */
export const logoPixelsMax = 4_000;

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
    throw inputError(
      'logo',
      'INVALID',
      'logo must be an image in Base64 with padding',
      'LOGO_NOT_AN_IMAGE',
    );
  if (bytes.length > logoBytesMax)
    throw inputError(
      'logo',
      'TOO_LONG',
      `logo must be an image of at most ${logoBytesMax} bytes`,
      'LOGO_TOO_LARGE',
    );
  const detected = await fileTypeFromBuffer(bytes);
  const type = typesByMediaType.get(detected?.mime ?? '');
  if (!type)
    throw inputError(
      'logo',
      'INVALID',
      'logo must be a PNG, JPEG or WebP image',
      'LOGO_NOT_AN_IMAGE',
    );
  const header = imageHeaderOf(bytes);
  if (!header || header.width === 0 || header.height === 0)
    throw inputError(
      'logo',
      'INVALID',
      'logo must be an image with a width and a height',
      'LOGO_NOT_AN_IMAGE',
    );
  if (Math.max(header.width, header.height) > logoPixelsMax)
    throw inputError(
      'logo',
      'OUT_OF_RANGE',
      `logo must be at most ${logoPixelsMax} pixels wide and high, but is ${header.width} × ${header.height}`,
      'LOGO_TOO_LARGE',
    );
  return { bytes, type, hash: createHash('sha256').update(bytes).digest('hex') };
}
