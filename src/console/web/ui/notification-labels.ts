import type { PlainKey } from '../texts/catalogue.ts';

/** The text of each kind of notification. */
export const notificationLabels = {
  FILE_FAILED: 'notifications.fileFailed',
  RUN_ENDED: 'notifications.runEnded',
  ASSISTANT_SHARED: 'notifications.assistantShared',
  FEEDBACK_SHARED: 'notifications.feedbackShared',
  KEY_EXPIRES: 'notifications.keyExpires',
  BUDGET_REACHED: 'notifications.budgetReached',
  WEBHOOK_FAILED: 'notifications.webhookFailed',
  ORGANIZATION_KEY_EXPIRES: 'notifications.organizationKeyExpires',
  INVITATION_ACCEPTED: 'notifications.invitationAccepted',
  REDEMPTION_ENDS: 'notifications.redemptionEnds',
} as const satisfies Record<string, PlainKey>;
