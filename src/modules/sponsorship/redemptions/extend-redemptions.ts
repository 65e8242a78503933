import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { InputError, inputError } from '../../../platform/errors.ts';
import { changeRows, type Writer } from '../../audit/record-change.ts';
import { countDistinct, lockRedemptions, requireAllLocked } from './lock-redemptions.ts';

type ExtendRedemptionsInput = {
  redemptionIds: readonly string[];
  /** Either one new end for all, or a number of calendar months to add to each. */
  newSponsoredUntil?: Date | null | undefined;
  months?: number | null | undefined;
  /** Null clears the reason of an earlier extension; undefined keeps it. */
  reason?: string | null | undefined;
};

/** A locked redemption with the checks of its new end. */
type CheckedRedemption = {
  id: string;
  sponsoredUntil: string;
  isTooEarly: boolean;
  isTooLate: boolean;
  organizationName: string;
};

/**
 * Moves the ends of sponsorships to a later time, for the redemptions and for the workspaces that
 * they pay for, even if they have already ended. Either all are changed or none. The rows are
 * locked, so that each of several concurrent extensions must be later than the one before it. One
 * statement changes up to 500 redemptions.
 */
export async function extendRedemptions(
  { redemptionIds, newSponsoredUntil, months, reason }: ExtendRedemptionsInput,
  writer: Writer,
): Promise<void> {
  const newEnd = newEndFor(newSponsoredUntil ?? null, months ?? null);
  const newReason = reason === undefined ? fragment`r.extension_reason` : fragment`${reason}::text`;
  const { organizationId } = writer.actor;
  if (redemptionIds.length === 0) return;
  const columns = fragment`r.sponsored_until as "from", r.sponsored_organization_id as workspace_id`;
  await changeRows<CheckedRedemption, void>(
    writer,
    (at) => ({
      before: fragment`
        locked as (${lockRedemptions({ organizationId, redemptionIds }, columns)}),
        checked as (
          select id, workspace_id, "from", "to", "to" <= "from" as "isTooEarly", "to" >= '10000-01-01T00:00:00Z' as "isTooLate"
          from (select *, ${newEnd(at)} as "to" from locked) extended),`,
      statement: fragment`
        update redemptions r set sponsored_until = "to", extended_until = "to", extension_reason = ${newReason}
        from checked where r.id = checked.id
          and (select count(*) = ${countDistinct(redemptionIds)} and not bool_or("isTooEarly" or "isTooLate") from checked)
        returning r.id, workspace_id, "from", "to"`,
      rowsMax: redemptionIds.length,
      after: fragment`, paid as (select pay_workspace_until(workspace_id, "to", ${at}::timestamptz) as is_paid from changed)`,
      entry: {
        ...{ action: 'extend-redemption', targetType: 'Redemption', targetId: fragment`id` },
        changes: fragment`jsonb_build_object('sponsoredUntil', jsonb_build_object('from', ${isoText(fragment`"from"`)}, 'to', ${isoText(fragment`"to"`)}))
          || ${reason === undefined ? fragment`'{}'::jsonb` : fragment`jsonb_build_object('extensionReason', ${reason}::text)`}`,
      },
      answer: fragment`
        select id, "from" as "sponsoredUntil", "isTooEarly", "isTooLate",
          (select name from organizations where id = workspace_id) as "organizationName", (select count(is_paid) from paid) as workspaces
        from checked order by id`,
    }),
    (redemptions) => {
      requireAllLocked(redemptionIds, redemptions);
      const tooEarly = redemptions.find(({ isTooEarly }) => isTooEarly);
      if (tooEarly) throw endTooEarly(tooEarly, redemptionIds.length === 1);
      const tooLate = redemptions.find(({ isTooLate }) => isTooLate);
      if (tooLate)
        throw inputError(
          'months',
          'OUT_OF_RANGE',
          `The sponsorship of ${describe(tooLate)} would end after the year 9999`,
        );
    },
  );
}

/**
 * SQL for the new end of a row of `locked`. Months are added as `addMonths` does: to the current
 * end, or to the current time if the sponsorship has ended, so that the extension does not cover
 * time that has passed.
 */
function newEndFor(newSponsoredUntil: Date | null, months: number | null): (at: Date) => Fragment {
  if (newSponsoredUntil !== null && months === null)
    return () => fragment`${newSponsoredUntil}::timestamptz`;
  if (months !== null && newSponsoredUntil === null)
    return (at) =>
      fragment`(greatest("from", ${at}::timestamptz) at time zone 'UTC' + make_interval(months => ${months}::int)) at time zone 'UTC'`;
  throw new InputError(
    ['newSponsoredUntil', 'months'].map((field) => ({
      field,
      code: 'INVALID',
      message: 'Give either newSponsoredUntil or months',
    })),
  );
}

const isoText = (time: Fragment) =>
  fragment`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const describe = ({ organizationName, id }: CheckedRedemption) =>
  `${organizationName} (redemption ${id})`;

function endTooEarly(redemption: CheckedRedemption, isSingle: boolean): InputError {
  const field = 'newSponsoredUntil';
  const end = new Date(redemption.sponsoredUntil).toISOString();
  if (isSingle)
    return inputError(
      field,
      'OUT_OF_RANGE',
      `${field} must be later than the current end of the sponsorship, ${end}`,
    );
  return inputError(
    field,
    'OUT_OF_RANGE',
    `The sponsorship of ${describe(redemption)} ends at ${end}: the new end must be later; none of them was extended`,
  );
}
