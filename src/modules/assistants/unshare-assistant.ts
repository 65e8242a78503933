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
    const { count } = await tx.assistantShare.deleteMany({
      where: { assistantId, organizationId, ...recipient },
    });
    if (count === 0) throw notFound('Share');
    await requireRemainingOwner({ assistantId }, tx);
    await record({
      action: 'unshare-assistant',
      targetType: 'Assistant',
      targetId: assistantId,
      changes: recipient,
    });
  });
}
