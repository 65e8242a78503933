/** A write of the API can be rehearsed: it answers as usual and changes nothing. */
export const takesDryRun = ({ method }: { method: string }): boolean => method !== 'GET';

/**
 * Whether the Prefer header of a write asks for a dry run (RFC 7240). Parameters of the preference
 * and other preferences are ignored, as the RFC says.
 */
export const wantsDryRun = (headers: Headers, call: { method: string }): boolean =>
  takesDryRun(call) &&
  (headers.get('prefer') ?? '')
    .split(',')
    .some((preference) => /^\s*dry-run\s*(=\s*(""|true|"true")\s*)?(;|$)/i.test(preference));
