import { hash, timingSafeEqual } from 'node:crypto';

export {
  hashPassword as hashLinkPassword,
  verifyPassword as verifyLinkPassword,
} from '../../accounts/passwords/password.ts';

type PasswordProtectedLink = { linkId: string; passwordHash: string };

/**
 * The proof that somebody has entered the password of a link; the browser stores it in a cookie. It
 * is derived from the stored password hash, so it needs no signature, and it becomes invalid when
 * the password changes.
 */
export const grantOf = ({ linkId, passwordHash }: PasswordProtectedLink): string =>
  hash('sha256', `link-password-grant:${linkId}:${passwordHash}`, 'base64url');

/** Whether the grant fits the link's password. A link without a password needs no grant. */
export function hasPasswordGrant(
  { linkId, passwordHash }: { linkId: string; passwordHash: string | null },
  grant: string | null,
): boolean {
  if (passwordHash === null) return true;
  const expected = Buffer.from(grantOf({ linkId, passwordHash }));
  const received = Buffer.from(grant ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
