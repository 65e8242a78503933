import type { Clock } from '../../../platform/clock.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { notificationStatement } from '../../notifications/notify.ts';
import type { RunParticipant } from '../run-record.ts';

/** Nobody waits in front of a run for longer than this. */
const shortSecondsMax = 60;

/**
 * Notifies the person of a durable run that it has ended, if it took so long that they may have left
 * the page. A cancelled run causes no notification. The end itself is written before.
 */
export const notifyOfEnd =
  (clock: Clock): NonNullable<RunParticipant['recordEnd']> =>
  (writes, { id, organizationId }, { state }) => {
    if (state === 'CANCELLED') return;
    const recipients = fragment`
    select r.organization_id, r.user_id, r.id as subject_id, r.assistant_id, r.conversation_id from runs r
    where r.id = ${id} and r.organization_id = ${organizationId} and r.is_durable
      and r.ended_at >= r.created_at + make_interval(secs => ${shortSecondsMax}::int)`;
    writes.enqueue`${notificationStatement({ kind: 'RUN_ENDED', recipients, at: clock() })}`;
  };
