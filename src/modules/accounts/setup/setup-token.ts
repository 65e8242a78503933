import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { hashText } from '../../../platform/hash.ts';

/** The id of the only row in which a set-up token is stored. */
export const setupId = 'setup';

export const hashSetupToken = (token: string): string =>
  Buffer.from(hashText(token)).toString('hex');

/** The condition of `verifications` for the stored token, if it equals this one and is valid. */
export const validSetupToken = (token: string, now: Date): Fragment =>
  fragment`id = ${setupId} and value = ${hashSetupToken(token)} and expires_at > ${now}`;
