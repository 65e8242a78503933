import type { Env } from '../../../platform/env.ts';

/**
 * Fails the start if people must verify their address but the settings allow no way to do it, and
 * warns if anybody can sign up with any address. Only the API calls it: a vault has no accounts.
 */
export function checkEmailVerification(
  { NODE_ENV, EMAIL_VERIFICATION, SMTP_URL, SIGN_IN_PROVIDERS }: Env,
  log: { warn(message: string): void },
): void {
  if (EMAIL_VERIFICATION === 'off') {
    if (NODE_ENV === 'production') {
      log.warn(
        'EMAIL_VERIFICATION is off: anybody can sign up with an address that is not theirs. Set SMTP_URL and MAIL_FROM, and remove this setting',
      );
    }
    return;
  }
  if (
    SMTP_URL !== undefined ||
    Object.keys(SIGN_IN_PROVIDERS ?? {}).length > 0 ||
    NODE_ENV === 'development'
  )
    return;
  throw new Error(
    [
      'EMAIL_VERIFICATION is required, which is the default in production, but nothing can prove an address. Set one of these:',
      '  SMTP_URL and MAIL_FROM: links in mails prove addresses',
      '  SIGN_IN_PROVIDERS and ORIGIN: people sign in with another site that has checked their address',
      '  EMAIL_VERIFICATION=off: anybody can sign up with any address, which suits a closed network only',
    ].join('\n'),
  );
}
