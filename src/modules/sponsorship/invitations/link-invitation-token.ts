import { createHmac } from 'node:crypto';
import { base62 } from '../../../platform/base62.ts';

declare module '../../../access/context.ts' {
  interface Services {
    linkInvitationTokens: LinkInvitationTokens;
    /** Sends invitations that are due, if this process sends any. */
    wakeLinkInvitations: () => void;
  }
}

/** Computes the token of an invitation from its id. */
export type LinkInvitationTokens = (id: string) => string;

const tokenLength = 32;

/**
 * The tokens have the form of those of links. They are computed, so that an invitation can be sent
 * again although the database has only the hash of its token.
 */
export function createLinkInvitationTokens({ secret }: { secret: string }): LinkInvitationTokens {
  const key = createHmac('sha256', secret).update('invitations to sponsored links').digest();
  // 248 is a multiple of 62: larger bytes would make some characters more likely.
  const charactersOf = (text: string) =>
    [...createHmac('sha512', key).update(text).digest()]
      .filter((byte) => byte < 248)
      .map((byte) => base62.charAt(byte % base62.length))
      .join('');
  return (id) => {
    let token = '';
    for (let block = 0; token.length < tokenLength; block += 1)
      token += charactersOf(`${block}:${id}`);
    return token.slice(0, tokenLength);
  };
}
