import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

/** The limits of one organization; null restores the default of the platform. */
type QuotaOverrides = {
  filesMax?: number | null | undefined;
  bytesMax?: number | null | undefined;
  passagesMax?: number | null | undefined;
  concurrentRunsMax?: number | null | undefined;
  concurrentUploadsMax?: number | null | undefined;
};
type SetOrganizationTermsInput = QuotaOverrides & {
  features?: readonly string[] | null | undefined;
  seatLimit?: number | null | undefined;
};

/**
 * Sets the features, quotas and seat limit of an organization; null removes the seat limit.
 * Undefined fields stay as they are.
 */
export async function setOrganizationTerms(
  { features, ...limits }: SetOrganizationTermsInput,
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  const changedLimits = Object.fromEntries(
    Object.entries(limits).filter(([, limit]) => limit !== undefined),
  );
  const data = { ...(features && { features: [...new Set(features)] }), ...changedLimits };
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
