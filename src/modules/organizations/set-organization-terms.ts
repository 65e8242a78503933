import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

type Terms = { features?: readonly string[] | null | undefined; seatLimit?: number | null | undefined };

/** What an organization is given: its features, and its cap of seats, which null takes away. What is left out stays. */
export async function setOrganizationTerms({ features, seatLimit }: Terms, writer: Writer): Promise<void> {
  const { organizationId } = writer.actor;
  const data = { ...(features && { features: [...new Set(features)] }), ...(seatLimit !== undefined && { seatLimit }) };
  await change(writer, async (tx, record, at) => {
    const { count } = await tx.organization.updateMany({ where: { id: organizationId }, data: { ...data, updatedAt: at } });
    if (count === 0) throw notFound('Organization');
    await record({ action: 'set-organization-terms', targetType: 'Organization', targetId: organizationId, changes: data });
  });
  writer.credentialsChanged();
}
