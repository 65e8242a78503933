import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

/** Limits of one organization; null lets the setting that holds for every organization decide. */
type OwnQuotas = {
  filesMax?: number | null | undefined;
  bytesMax?: number | null | undefined;
  passagesMax?: number | null | undefined;
  concurrentRunsMax?: number | null | undefined;
  concurrentUploadsMax?: number | null | undefined;
};
type Terms = OwnQuotas & {
  features?: readonly string[] | null | undefined;
  seatLimit?: number | null | undefined;
};

/**
 * What an organization is given: its features, its quotas, and its cap of seats, which null takes
 * away. What is left out stays.
 */
export async function setOrganizationTerms(
  { features, ...limits }: Terms,
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  const given = Object.fromEntries(
    Object.entries(limits).filter(([, limit]) => limit !== undefined),
  );
  const data = { ...(features && { features: [...new Set(features)] }), ...given };
  await change(writer, async (tx, record, at) => {
    const { count } = await tx.organization.updateMany({
      where: { id: organizationId },
      data: { ...data, updatedAt: at },
    });
    if (count === 0) throw notFound('Organization');
    await record({
      action: 'set-organization-terms',
      targetType: 'Organization',
      targetId: organizationId,
      changes: data,
    });
  });
  writer.credentialsChanged();
}
