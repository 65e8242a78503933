import type { PlainKey } from '../texts/catalogue.ts';
import { t } from '../texts/text.ts';

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

/** What has happened, with the name of the file or the assistant if there is one. */
export function notificationText({
  kind,
  subjectName,
}: {
  kind: keyof typeof notificationLabels;
  subjectName: string | null;
}): string {
  const what = t(notificationLabels[kind]);
  return subjectName === null ? what : t('notifications.about', { what, name: subjectName });
}
