import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

/** A limit; null restores the default of the platform, and undefined keeps the current value. */
type LimitChange = number | null | undefined;
type SetOrganizationTermsInput = {
  features?: readonly string[] | null | undefined;
  seatLimit?: LimitChange;
  filesMax?: LimitChange;
  bytesMax?: LimitChange;
  passagesMax?: LimitChange;
  concurrentRunsMax?: LimitChange;
  concurrentUploadsMax?: LimitChange;
};

/** Sets the features, quotas and seat limit of an organization; null removes the seat limit. */
export async function setOrganizationTerms(
  { features, ...limits }: SetOrganizationTermsInput,
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  const changes = {
    ...(features && { features: [...new Set(features)] }),
    ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)),
  };
  await change(writer, async (tx, record, at) => {
    const updated = await tx.sql`
      update organizations set
        features = coalesce(${changes.features ?? null}, features),
        seat_limit = ${limitOr(limits.seatLimit, fragment`seat_limit`)},
        files_max = ${limitOr(limits.filesMax, fragment`files_max`)},
        bytes_max = ${limitOr(limits.bytesMax, fragment`bytes_max`)},
        passages_max = ${limitOr(limits.passagesMax, fragment`passages_max`)},
        concurrent_runs_max = ${limitOr(limits.concurrentRunsMax, fragment`concurrent_runs_max`)},
        concurrent_uploads_max = ${limitOr(limits.concurrentUploadsMax, fragment`concurrent_uploads_max`)},
        updated_at = ${at}
      where id = ${organizationId} returning id`;
    if (updated.length === 0) throw notFound('Organization');
    record({
      action: 'set-organization-terms',
      targetType: 'Organization',
      targetId: organizationId,
      changes,
    });
  });
  writer.credentialsChanged();
}

const limitOr = (limit: LimitChange, current: Fragment): Fragment =>
  fragment`case when ${limit === undefined} then ${current} else ${limit ?? null}::bigint end`;
