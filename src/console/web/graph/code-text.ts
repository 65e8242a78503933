import type { PlainKey } from '../texts/catalogue.ts';
import { language } from '../texts/language.ts';
import { t } from '../texts/text.ts';

/** Codes and reasons of errors, whose text says what the message of the server says. */
const codeTexts: Readonly<Record<string, PlainKey>> = {
  ACCOUNT_EXISTS: 'faults.accountExists',
  ALREADY_MEMBER: 'faults.alreadyMember',
  ALREADY_REDEEMED: 'faults.alreadyRedeemed',
  ASSISTANT_NOT_AVAILABLE: 'faults.assistantNotAvailable',
  BUDGET_EXHAUSTED: 'faults.budgetExhausted',
  BUSY: 'faults.busy',
  BYTES: 'faults.tooManyBytes',
  CAMPAIGN_EXHAUSTED: 'faults.campaignExhausted',
  CAMPAIGN_EXPIRED: 'faults.campaignExpired',
  CAMPAIGN_INACTIVE: 'faults.campaignInactive',
  CODE_WRONG: 'faults.codeWrong',
  CONCURRENCY_LIMIT_REACHED: 'faults.concurrencyLimit',
  CONVERSATIONS_NOT_KEPT: 'faults.conversationsNotKept',
  EMAIL_DIFFERS: 'faults.emailDiffers',
  EMAIL_NOT_ALLOWED: 'faults.emailNotAllowed',
  EMAIL_NOT_VERIFIED: 'faults.emailNotVerified',
  FEATURE_DISABLED: 'faults.featureDisabled',
  FILES: 'faults.tooManyFiles',
  INTERNAL: 'faults.internal',
  INVALID_EMAIL_OR_PASSWORD: 'faults.wrongCredentials',
  INVITATION_EXPIRED: 'faults.invitationExpired',
  INVITATION_FOR_ANOTHER: 'faults.invitationForAnother',
  INVITATION_REVOKED: 'faults.invitationRevoked',
  INVITATION_USED: 'faults.invitationUsed',
  LAST_ADMINISTRATOR: 'faults.lastAdministrator',
  LINK_INACTIVE: 'faults.linkInactive',
  LINK_NOT_VALID: 'faults.linkNotValid',
  NOT_FOUND: 'faults.notFound',
  NO_HOST_NAME: 'faults.noHostName',
  NO_MAIL_FOR_PROOF: 'faults.noMailForProof',
  NO_PASSWORD: 'faults.noPassword',
  NO_SECOND_FACTOR: 'faults.noSecondFactor',
  OUTPUT_INVALID: 'faults.outputInvalid',
  PASSKEY_WRONG: 'faults.passkeyWrong',
  PASSWORD_EASY_TO_GUESS: 'faults.passwordEasyToGuess',
  PASSWORD_REQUIRED: 'faults.passwordRequired',
  PASSWORD_WRONG: 'faults.passwordWrong',
  PAYLOAD_TOO_LARGE: 'faults.payloadTooLarge',
  PRECONDITION_FAILED: 'faults.preconditionFailed',
  PROVIDER_FAILED: 'faults.providerFailed',
  PROVIDER_LATE: 'faults.providerLate',
  QUOTA_EXCEEDED: 'faults.quotaExceeded',
  RATE_LIMITED: 'faults.rateLimited',
  RUNS: 'faults.tooManyRuns',
  RUN_EXPIRED: 'faults.runExpired',
  RUN_INTERRUPTED: 'faults.runInterrupted',
  SEAT_LIMIT_REACHED: 'faults.seatLimitReached',
  SECOND_FACTOR_REQUIRED: 'faults.secondFactorRequired',
  SIGN_IN_EXPIRED: 'faults.signInExpired',
  SIGN_UP_CLOSED: 'faults.signUpClosed',
  STORAGE_FULL: 'faults.storageFull',
  UNAVAILABLE: 'faults.unavailable',
  UPLOADS: 'faults.tooManyUploads',
};

/** Fields of the forms below /auth/, with the rule that a value breaks. */
const fieldTexts: Readonly<Record<string, PlainKey>> = {
  email: 'faults.fieldEmail',
  firstName: 'faults.fieldFirstName',
  lastName: 'faults.fieldLastName',
  password: 'faults.fieldPassword',
};

/**
 * The text of an error in the language of the page, by the first of these codes that has one. The
 * server writes English, so its message is the text in English, and where no code has a text.
 */
export const codeText = (message: string, ...codes: readonly unknown[]): string =>
  translated(message, codeTexts, codes);

export const fieldText = (message: string, field: string): string =>
  translated(message, fieldTexts, [field]);

function translated(
  message: string,
  texts: Readonly<Record<string, PlainKey>>,
  codes: readonly unknown[],
): string {
  if (language() === 'en') return message;
  const key = codes.map((code) => texts[String(code)]).find((text) => text !== undefined);
  return key ? t(key) : message;
}
