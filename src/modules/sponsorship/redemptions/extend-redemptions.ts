import type { ItemRefusal } from '../../../platform/bulk.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { inputError, notFound } from '../../../platform/errors.ts';
import { changeRows, type Writer } from '../../audit/record-change.ts';
import { lockRedemptions } from './lock-redemptions.ts';

/** Either a new end, or a number of calendar months to add. */
export type RedemptionExtension = {
  redemptionId: string;
  newSponsoredUntil?: Date | null | undefined;
  months?: number | null | undefined;
  /** Null clears the reason of an earlier extension; undefined keeps it. */
  reason?: string | null | undefined;
};
type ExtendRedemptionsInput = {
  /** Each redemption once. */
  extensions: readonly RedemptionExtension[];
  /** True: if one is refused, none is extended. */
  isAtomic: boolean;
};

/** A locked redemption with the checks of its new end. */
type CheckedRedemption = {
  id: string;
  sponsoredUntil: string;
  isTooEarly: boolean;
  isTooLate: boolean;
  organizationName: string;
  /** How many were paid for. Postgres pays for them because they are counted. */
  workspaces: number;
};
export type ExtensionOutcome = { refusal: ItemRefusal; organizationName: string | undefined };

/**
 * Moves the ends of sponsorships to a later time, for the redemptions and for the workspaces that
 * they pay for, even if they have already ended. The rows are locked, so that each of several
 * concurrent extensions must be later than the one before it. One statement changes all of them.
 * Returns the outcome of each extension, in their order.
 */
export async function extendRedemptions(
  { extensions, isAtomic }: ExtendRedemptionsInput,
  writer: Writer,
): Promise<ExtensionOutcome[]> {
  if (extensions.length === 0) return [];
  const { organizationId } = writer.actor;
  const redemptionIds = extensions.map(({ redemptionId }) => redemptionId);
  const items = JSON.stringify(
    extensions.map((extension) => ({ ...extension, keepsReason: extension.reason === undefined })),
  );
  const columns = fragment`r.sponsored_until as "from", r.sponsored_organization_id as workspace_id`;
  const isAccepted = isAtomic
    ? fragment`(select count(*) = ${extensions.length} and not bool_or("isTooEarly" or "isTooLate") from checked)`
    : fragment`not ("isTooEarly" or "isTooLate")`;
  const rows = await changeRows<CheckedRedemption, CheckedRedemption[]>(
    writer,
    (at) => ({
      before: fragment`
        items as (
          select * from json_to_recordset(${items}::json)
            as item ("redemptionId" text, "newSponsoredUntil" timestamptz, months int, reason text, "keepsReason" boolean)),
        locked as (${lockRedemptions({ organizationId, redemptionIds }, columns)}),
        checked as (
          select *, "to" <= "from" as "isTooEarly", "to" >= '10000-01-01T00:00:00Z' as "isTooLate"
          from (select locked.*, reason, "keepsReason", ${newEnd(at)} as "to" from locked join items on "redemptionId" = id) extended),`,
      statement: fragment`
        update redemptions r set sponsored_until = "to", extended_until = "to",
          extension_reason = case when "keepsReason" then r.extension_reason else reason end
        from checked where r.id = checked.id and ${isAccepted}
        returning r.id, workspace_id, "from", "to", reason, "keepsReason"`,
      rowsMax: extensions.length,
      after: fragment`,
        paid as (select pay_workspace_until(workspace_id, "to", ${at}::timestamptz) as is_paid from changed),
        history as (
          insert into sponsorship_extensions (redemption_id, organization_id, at, end_before, end_after)
          select id, ${organizationId}, ${at}::timestamptz, "from", "to" from changed)`,
      entry: {
        ...{ action: 'extend-redemption', targetType: 'Redemption', targetId: fragment`id` },
        changes: fragment`jsonb_build_object('sponsoredUntil', jsonb_build_object('from', ${isoText(fragment`"from"`)}, 'to', ${isoText(fragment`"to"`)}))
          || case when "keepsReason" then '{}'::jsonb else jsonb_build_object('extensionReason', reason) end`,
      },
      answer: fragment`
        select id, "from" as "sponsoredUntil", "isTooEarly", "isTooLate",
          (select name from organizations where id = workspace_id) as "organizationName", (select count(is_paid) from paid) as workspaces
        from checked`,
    }),
    (checked) => checked,
  );
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return redemptionIds.map((id) => {
    const row = rowsById.get(id);
    return { refusal: refusalOf(row), organizationName: row?.organizationName };
  });
}

/**
 * SQL for the new end. Months are added as `addMonths` does: to the current end, or to the current
 * time if the sponsorship has ended, so that the extension does not cover time that has passed.
 */
const newEnd = (at: Date): Fragment => fragment`
  coalesce("newSponsoredUntil",
    (greatest("from", ${at}::timestamptz) at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC')`;

const isoText = (time: Fragment) =>
  fragment`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function refusalOf(row: CheckedRedemption | undefined): ItemRefusal {
  if (!row) return notFound('Redemption');
  if (row.isTooEarly)
    return inputError(
      'newSponsoredUntil',
      'OUT_OF_RANGE',
      `newSponsoredUntil must be later than the current end of the sponsorship, ${new Date(row.sponsoredUntil).toISOString()}`,
      'SPONSORSHIP_END_TOO_EARLY',
    );
  if (row.isTooLate)
    return inputError(
      'months',
      'OUT_OF_RANGE',
      'The sponsorship would end after the year 9999',
      'SPONSORSHIP_END_TOO_LATE',
    );
  return null;
}
