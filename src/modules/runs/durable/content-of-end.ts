import type { RunOutcome, RunParticipant } from '../run-record.ts';
import type { StoredEvent } from './run-event.ts';

/**
 * Writes what a durable run keeps of its end: the result or the message of the error, its last
 * event, and the time until which its content is kept. An organization that wants e-mail addresses
 * and numbers removed keeps no content for longer. The end itself is written before.
 */
export const contentOfEnd =
  (contentHours: number): NonNullable<RunParticipant['recordEnd']> =>
  (writes, { id, organizationId }, outcome) => {
    const result = outcome.state === 'COMPLETED' ? JSON.stringify(outcome.result) : null;
    const message = outcome.state === 'COMPLETED' ? null : JSON.stringify(outcome.message);
    writes.enqueue`
      update run_contents set result = ${result}, error_message = ${message}
      where run_id = ${id} and organization_id = ${organizationId}`;
    writes.enqueue`
      insert into run_events (run_id, sequence, organization_id, data)
      select c.run_id, coalesce((select max(e.sequence) from run_events e where e.run_id = c.run_id), 0) + 1, c.organization_id,
        ${JSON.stringify(lastEvent(outcome))}
      from run_contents c where c.run_id = ${id} and c.organization_id = ${organizationId}`;
    writes.enqueue`
      update runs r set content_until = r.ended_at + case
        when o.keeps_run_content and not o.redacts_content then make_interval(days => o.retention_days)
        else make_interval(hours => ${contentHours}::int) end
      from organizations o where r.id = ${id} and r.organization_id = ${organizationId} and o.id = r.organization_id`;
  };

function lastEvent(outcome: RunOutcome): StoredEvent {
  if (outcome.state === 'COMPLETED') return { type: 'done' };
  const { state, errorCode: code, message } = outcome;
  return { type: 'failed', state, code, message };
}
