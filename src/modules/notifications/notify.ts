import type { NotificationKind } from '../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { notificationsMax } from './notification.ts';

type NotificationInput = {
  kind: NotificationKind;
  /**
   * Who is told of what: rows with the columns organization_id, user_id, subject_id, assistant_id and
   * conversation_id.
   */
  recipients: Fragment;
  at: Date;
};

/**
 * The statement that stores notifications. It belongs into the transaction of what happened, so that
 * both are stored or neither. Only people who have accepted their membership and have not switched
 * the kind off get one. The oldest ones above the limit are deleted; the new ones are not in the
 * snapshot of the statement, so they are subtracted. Nobody waits for a row that another transaction
 * deletes; what two of them leave above the limit is deleted with the next notification.
 */
export const notificationStatement = ({
  kind,
  recipients,
  at,
}: NotificationInput): Fragment => fragment`
  with due as (${recipients}), added as (
    insert into notifications (id, organization_id, user_id, kind, subject_id, assistant_id, conversation_id, created_at)
    select gen_random_uuid()::text, d.organization_id, d.user_id, ${kind}::notification_kind, d.subject_id, d.assistant_id, d.conversation_id, ${at}::timestamptz
    from due d
    join memberships m on m.organization_id = d.organization_id and m.user_id = d.user_id and m.accepted_at is not null
    join users u on u.id = m.user_id
    where not ${kind}::notification_kind = any(u.muted_notifications)
    returning organization_id, user_id),
  counted as (select organization_id, user_id, count(*) as added from added group by organization_id, user_id)
  delete from notifications where id in (
    select old.id from notifications old where old.id in (
      select stored.id from counted c cross join lateral (
        select n.id, row_number() over (order by n.created_at desc, n.id desc) as place from notifications n
        where n.organization_id = c.organization_id and n.user_id = c.user_id) stored
      where stored.place > ${notificationsMax}::int - c.added)
    for update skip locked)`;

/** What administrators of the organization are told of. */
export const toAdministrators = (organizationId: string, subjectId: string): Fragment => fragment`
  select a.organization_id, a.user_id, ${subjectId}::text as subject_id, null::text as assistant_id, null::text as conversation_id
  from memberships a where a.organization_id = ${organizationId} and a.role = 'ADMIN'`;
