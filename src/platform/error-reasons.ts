/**
 * Finer distinctions of the error codes, for clients that react differently to each of them. Only
 * GraphQL and the sign-in calls of the console send them.
 */
export const errorReasonCatalogue = {
  ACCOUNT_EXISTS: 'there is an account with this e-mail address',
  ALREADY_MEMBER: 'the viewer is a member of the organization already',
  ALREADY_REDEEMED: 'the viewer has redeemed the offer already',
  ASSISTANT_NOT_AVAILABLE: 'the assistant is unknown or not shared with the caller',
  BUSY: 'too many people are signing in at the moment',
  BYTES: 'the files of the organization have too many bytes',
  CAMPAIGN_EXHAUSTED: 'the campaign has no redemptions left',
  CAMPAIGN_EXPIRED: 'the campaign has ended',
  CAMPAIGN_INACTIVE: 'the campaign is switched off',
  CODE_WRONG: 'the code of the second factor is wrong',
  DOCUMENT_NOT_TRUSTED: 'the caller may only send trusted GraphQL documents',
  EMAIL_DIFFERS: 'the typed e-mail address is not that of the account',
  EMAIL_NOT_ALLOWED: 'the offer is not open to the e-mail address',
  EMAIL_NOT_VERIFIED: 'the e-mail address is not confirmed yet',
  FILES: 'the organization has too many files',
  INVITATION_EXPIRED: 'the invitation has expired',
  INVITATION_FOR_ANOTHER: 'the invitation is for another e-mail address',
  INVITATION_REVOKED: 'the invitation was revoked',
  INVITATION_USED: 'the invitation was accepted already',
  LAST_ADMINISTRATOR: 'the person is the last administrator of an organization',
  LINK_INACTIVE: 'the link is switched off',
  LINK_NOT_VALID: 'the link of a mail was used already, has expired, or is not complete',
  NO_HOST_NAME: 'passkeys need an address with a host name',
  NO_MAIL_FOR_PROOF: 'the installation sends no mail, so it cannot confirm the e-mail address',
  NO_PASSWORD: 'the account has no password',
  NO_SECOND_FACTOR: 'the viewer has no second factor',
  PASSKEY_WRONG: 'the passkey was not accepted',
  PASSWORD_EASY_TO_GUESS: 'the password is easy to guess',
  PASSWORD_REQUIRED: 'the link needs its password',
  PASSWORD_WRONG: 'the password is wrong',
  RUNS: 'the organization has reached its number of concurrent runs',
  SECOND_FACTOR_REQUIRED: 'the organization requires a second factor',
  SIGN_IN_EXPIRED: 'the first step of the sign-in is too old',
  SIGN_IN_NOT_RECENT: 'the call needs a sign-in of the last ten minutes, or the password',
  SIGN_UP_CLOSED: 'nobody can sign up here without an invitation',
  UPLOADS: 'the organization has reached its number of concurrent uploads',
} as const;

export type ErrorReason = keyof typeof errorReasonCatalogue;
