import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { notificationStatement } from '../notifications/notify.ts';
import type { AccessLevel, Person } from './access.ts';
import { lockAssistant } from './lock-assistant.ts';
import { requireAssistant } from './require-assistant.ts';
import { requireRemainingOwner } from './require-remaining-owner.ts';

/** One user, one team, or (both null) everybody in the organization. */
export type ShareRecipient =
  | { userId: string; teamId: null }
  | { userId: null; teamId: string }
  | { userId: null; teamId: null };
type ShareAssistantInput = {
  assistantId: string;
  person: Person;
  recipient: ShareRecipient;
  level: AccessLevel;
};

/** Gives a recipient this access level in place of the one they had. */
export async function shareAssistant(
  { assistantId, person, recipient, level }: ShareAssistantInput,
  writer: Writer,
): Promise<void> {
  await requireAssistant({ assistantId, person, level: 'OWNER' }, writer);
  const { organizationId } = person;
  await change(writer, async (tx, record, at) => {
    await lockAssistant({ assistantId, organizationId }, tx);
    const { userId, teamId } = recipient;
    // The lock keeps the membership until the share is written. A member who leaves at the same
    // time waits for it, and their removal then also deletes the new share.
    if (userId !== null) {
      const members = await tx.sql`
        select user_id from memberships where organization_id = ${organizationId} and user_id = ${userId} for key share`;
      if (members.length === 0) throw notFound('User');
    }
    if (teamId !== null) {
      const teams = await tx.sql`
        select id from teams where id = ${teamId} and organization_id = ${organizationId} for key share`;
      if (teams.length === 0) throw notFound('Team');
    }
    tx.enqueue`${notificationStatement({ kind: 'ASSISTANT_SHARED', recipients: newPeople({ assistantId, person, recipient }), at })}`;
    tx.enqueue`
      with updated as (
        update assistant_shares set level = ${level}::access_level
        where assistant_id = ${assistantId} and organization_id = ${organizationId}
          and user_id is not distinct from ${userId} and team_id is not distinct from ${teamId}
        returning id)
      insert into assistant_shares (id, assistant_id, organization_id, user_id, team_id, level, created_at)
      select ${newId(at.getTime())}, ${assistantId}, ${organizationId}, ${userId}, ${teamId}, ${level}::access_level, ${at}::timestamptz
      where not exists (select from updated)`;
    await requireRemainingOwner({ assistantId }, tx);
    record({
      action: 'share-assistant',
      targetType: 'Assistant',
      targetId: assistantId,
      changes: { ...recipient, level },
    });
  });
}

/**
 * The people who can use the assistant only by the share that is about to be written, except the one
 * who shares. Sharing with everybody is not told to anybody: an organization can have many members.
 */
function newPeople({
  assistantId,
  person: { organizationId, userId: sharedBy },
  recipient: { userId, teamId },
}: Omit<ShareAssistantInput, 'level'>): Fragment {
  const people =
    teamId === null
      ? fragment`values (${userId}::text)`
      : fragment`
    select user_id from team_memberships where team_id = ${teamId} and organization_id = ${organizationId}`;
  return fragment`
    select a.organization_id, p.user_id, a.id as subject_id, a.id as assistant_id, null::text as conversation_id
    from assistants a, (${people}) p (user_id)
    where a.id = ${assistantId} and a.organization_id = ${organizationId} and p.user_id is distinct from ${sharedBy}::text
      and not exists (select from assistant_shares s where s.assistant_id = a.id and (s.user_id = p.user_id
        or (s.user_id is null and s.team_id is null)
        or s.team_id in (select t.team_id from team_memberships t where t.user_id = p.user_id and t.organization_id = a.organization_id)))`;
}
