import { randomBase62 } from '../../platform/base62.ts';
import { hashText } from '../../platform/hash.ts';

export type InvitationToken = { token: string; tokenHash: Uint8Array<ArrayBuffer> };

export function newInvitationToken(): InvitationToken {
  const token = randomBase62(32);
  return { token, tokenHash: hashText(token) };
}

/** The address of the page on which a person accepts the invitation. */
export const invitationLink = (origin: string, token: string): string =>
  `${origin}/auth?invitation=${token}`;
