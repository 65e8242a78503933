import type { Prisma } from '../../platform/database/generated/client.ts';
import { notFound } from '../../platform/errors.ts';

type Asked = { assistantId: string; organizationId: string };

/**
 * An assistant of this organization, held until the transaction ends: its shares and files change
 * one after another.
 */
export async function lockAssistant(
  { assistantId, organizationId }: Asked,
  tx: Prisma.TransactionClient,
): Promise<{ id: string; name: string }> {
  const [assistant] = await tx.$queryRaw<{ id: string; name: string }[]>`
    select id, name from assistants where id = ${assistantId} and organization_id = ${organizationId} for update`;
  if (!assistant) throw notFound('Assistant');
  return assistant;
}
