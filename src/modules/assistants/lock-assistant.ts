import type { Transaction } from '../../platform/database/open-transaction.ts';
import { notFound } from '../../platform/errors.ts';

type AssistantKey = { assistantId: string; organizationId: string };

/**
 * Locks an assistant of this organization until the transaction ends, so that changes of its shares
 * and files happen one after another.
 */
export async function lockAssistant(
  { assistantId, organizationId }: AssistantKey,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<{ id: string; name: string }> {
  const [assistant] = await sql<{ id: string; name: string }>`
    select id, name from assistants where id = ${assistantId} and organization_id = ${organizationId} for update`;
  if (!assistant) throw notFound('Assistant');
  return assistant;
}
