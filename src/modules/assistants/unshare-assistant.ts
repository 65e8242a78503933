import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { Person } from './access.ts';
import { lockAssistant } from './lock-assistant.ts';
import { requireAssistant } from './require-assistant.ts';
import { requireRemainingOwner } from './require-remaining-owner.ts';
import type { ShareRecipient } from './share-assistant.ts';

export async function unshareAssistant(
  {
    assistantId,
    person,
    recipient,
  }: { assistantId: string; person: Person; recipient: ShareRecipient },
  writer: Writer,
): Promise<void> {
  await requireAssistant({ assistantId, person, level: 'OWNER' }, writer);
  const { organizationId } = person;
  await change(writer, async (tx, record) => {
    await lockAssistant({ assistantId, organizationId }, tx);
    const { userId, teamId } = recipient;
    const removed = await tx.sql`
      delete from assistant_shares
      where assistant_id = ${assistantId} and organization_id = ${organizationId}
        and user_id is not distinct from ${userId} and team_id is not distinct from ${teamId}
      returning id`;
    if (removed.length === 0) throw notFound('Share');
    await requireRemainingOwner({ assistantId }, tx);
    record({
      action: 'unshare-assistant',
      targetType: 'Assistant',
      targetId: assistantId,
      changes: recipient,
    });
  });
}
