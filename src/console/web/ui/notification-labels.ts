import type { PlainKey } from '../texts/catalogue.ts';
import { formatDate } from '../texts/format.ts';
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

/** What has happened, with the name of the subject if there is one. */
export function notificationText({
  kind,
  subjectName,
  subjectEndsAt,
}: {
  kind: keyof typeof notificationLabels;
  subjectName: string | null;
  subjectEndsAt: string | null;
}): string {
  if (subjectName !== null && subjectEndsAt !== null) {
    const end = new Date(subjectEndsAt);
    const isOver = end.getTime() <= Date.now() ? 'yes' : 'no';
    const day = formatDate(end, { dateStyle: 'medium' });
    return t('notifications.redemptionEndsOn', { name: subjectName, day, isOver });
  }
  const what = t(notificationLabels[kind]);
  return subjectName === null ? what : t('notifications.about', { what, name: subjectName });
}
