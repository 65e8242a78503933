import type { NotificationKind } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';

/** Something that happened, for one person. */
export type Notification = {
  id: string;
  kind: NotificationKind;
  /** The id of what it is about, by its kind. */
  subjectId: string;
  assistantId: string | null;
  conversationId: string | null;
  createdAt: string;
  readAt: string | null;
};

/** The columns of `notifications n`. */
export const notificationColumns = fragment`
  n.id, n.kind, n.subject_id as "subjectId", n.assistant_id as "assistantId", n.conversation_id as "conversationId",
  n.created_at as "createdAt", n.read_at as "readAt"`;

/** The newest ones of a person in an organization are kept. */
export const notificationsMax = 500;
export const notificationDays = 90;

/** The page of the console that shows what a notification is about. */
export function pathOf({ kind, subjectId, assistantId, conversationId }: Notification): string {
  switch (kind) {
    case 'FILE_FAILED':
      return `/assistants/${assistantId}/files`;
    case 'RUN_ENDED':
      return conversationId === null
        ? `/assistants/${assistantId}`
        : `/assistants/${assistantId}/c/${conversationId}`;
    case 'ASSISTANT_SHARED':
      return `/assistants/${subjectId}`;
    case 'FEEDBACK_SHARED':
      return `/assistants/${assistantId}/feedback`;
    case 'BUDGET_REACHED':
      return '/settings/usage';
    case 'WEBHOOK_FAILED':
      return `/settings/webhooks/${subjectId}`;
    case 'KEY_EXPIRES':
      return '/settings/keys';
    case 'ORGANIZATION_KEY_EXPIRES':
      return '/settings/organization-keys';
    case 'INVITATION_ACCEPTED':
      return '/settings/members';
    case 'REDEMPTION_ENDS':
      return `/sponsorship/redemptions/${subjectId}`;
  }
}
