import { hasPreference } from '../http/prefer.ts';

/** A write of the API can be rehearsed: it answers as usual and changes nothing. */
export const takesDryRun = ({ method }: { method: string }): boolean => method !== 'GET';

/** Whether the Prefer header of a write asks for a dry run. */
export const wantsDryRun = (headers: Headers, call: { method: string }): boolean =>
  takesDryRun(call) && hasPreference(headers, 'dry-run');

/** Whether the Prefer header asks for an answer before the work is done (RFC 7240). */
export const wantsAsync = (headers: Headers): boolean => hasPreference(headers, 'respond-async');
