import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { Person } from '../assistants/access.ts';
import { requireRunnable } from '../assistants/require-assistant.ts';
import { readRetentionSettings } from '../organizations/retention-settings.ts';
import { type Conversation, requireConversation } from './conversation.ts';
import { requireKept } from './require-kept.ts';

type CreateConversationInput = {
  assistantId: string;
  person: Person;
  title?: string | null | undefined;
};

/**
 * Starts an empty conversation with an assistant that the person may run. The audit log has no entry
 * of it, because administrators read the log and conversations are private.
 */
export async function createConversation(
  { assistantId, person, title }: CreateConversationInput,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Conversation> {
  const { organizationId, userId } = person;
  requireKept(await readRetentionSettings({ organizationId }, database));
  await requireRunnable({ assistantId, person }, { database });
  const conversationId = await inTransaction(database, (tx) => {
    const at = clock();
    const id = newId(at.getTime());
    tx.enqueue`
      insert into conversations (id, organization_id, user_id, assistant_id, title, created_at, updated_at)
      values (${id}, ${organizationId}, ${userId}, ${assistantId}, ${title ?? null}, ${at}, ${at})`;
    return id;
  });
  return requireConversation({ organizationId, userId, conversationId }, database);
}
