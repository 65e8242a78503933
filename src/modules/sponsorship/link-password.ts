import { hash, timingSafeEqual } from 'node:crypto';

export {
  hashPassword as hashLinkPassword,
  verifyPassword as verifyLinkPassword,
} from '../accounts/password.ts';

type Locked = { linkId: string; passwordHash: string };

/**
 * What whoever knew a link's password is given to keep, in a cookie for instance. It can only be
 * made from the stored hash, so it needs no signature, and it ends with the password that it was
 * given for.
 */
export const grantOf = ({ linkId, passwordHash }: Locked): string =>
  hash('sha256', `link-password-grant:${linkId}:${passwordHash}`, 'base64url');

export function isGranted(
  { linkId, passwordHash }: { linkId: string; passwordHash: string | null },
  grant: string | null,
): boolean {
  if (passwordHash === null) return true;
  const expected = Buffer.from(grantOf({ linkId, passwordHash }));
  const given = Buffer.from(grant ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
