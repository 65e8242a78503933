import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { InputError, inputError } from '../../platform/errors.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import { countOf, lockedRedemptions, requireAll } from './lock-redemptions.ts';

type ExtendRedemptions = {
  redemptionIds: readonly string[];
  /** Either a new end for all, or so many calendar months for each. */
  newSponsoredUntil?: Date | null | undefined;
  months?: number | null | undefined;
  /** Null clears what an earlier extension said; absent leaves it. */
  reason?: string | null | undefined;
};

type Judged = {
  id: string;
  sponsoredUntil: string;
  isTooEarly: boolean;
  isTooLate: boolean;
  organizationName: string;
};

/**
 * Moves the ends of sponsorships to a later time, all or none of them, whether or not they have
 * ended, for the redemptions and for the workspaces that they pay for. The rows are held meanwhile,
 * so that of many at once each accepted one is later than the one before. One statement for five
 * hundred as for one.
 */
export async function extendRedemptions(
  { redemptionIds, newSponsoredUntil, months, reason }: ExtendRedemptions,
  writer: Writer,
): Promise<void> {
  const newEnd = newEndFor(newSponsoredUntil ?? null, months ?? null);
  const newReason = reason === undefined ? fragment`r.extension_reason` : fragment`${reason}::text`;
  const { organizationId } = writer.actor;
  if (redemptionIds.length === 0) return;
  const columns = fragment`r.sponsored_until as "from", r.sponsored_organization_id as workspace_id`;
  await changeRows<Judged, void>(
    writer,
    (at) => ({
      before: fragment`
        held as (${lockedRedemptions({ organizationId, redemptionIds }, columns)}),
        judged as (
          select id, workspace_id, "from", "to", "to" <= "from" as "isTooEarly", "to" >= '10000-01-01T00:00:00Z' as "isTooLate"
          from (select *, ${newEnd(at)} as "to" from held) moved),`,
      statement: fragment`
        update redemptions r set sponsored_until = "to", extended_until = "to", extension_reason = ${newReason}
        from judged where r.id = judged.id
          and (select count(*) = ${countOf(redemptionIds)} and not bool_or("isTooEarly" or "isTooLate") from judged)
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
        from judged order by id`,
    }),
    (judged) => {
      requireAll(redemptionIds, judged);
      const tooEarly = judged.find(({ isTooEarly }) => isTooEarly);
      if (tooEarly) throw notLater(tooEarly, redemptionIds.length === 1);
      const tooLate = judged.find(({ isTooLate }) => isTooLate);
      if (tooLate)
        throw inputError(
          'months',
          'OUT_OF_RANGE',
          `The sponsorship of ${nameOf(tooLate)} would end after the year 9999`,
        );
    },
  );
}

/**
 * SQL for the new end of a row of `held`. Months are added as addMonths adds them to the end, or to
 * the present where the end has passed: an extension is there to be used.
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

const nameOf = ({ organizationName, id }: Judged) => `${organizationName} (redemption ${id})`;

function notLater(redemption: Judged, isAlone: boolean): InputError {
  const field = 'newSponsoredUntil';
  const end = new Date(redemption.sponsoredUntil).toISOString();
  if (isAlone)
    return inputError(
      field,
      'OUT_OF_RANGE',
      `${field} must be later than the current end of the sponsorship, ${end}`,
    );
  return inputError(
    field,
    'OUT_OF_RANGE',
    `The sponsorship of ${nameOf(redemption)} ends at ${end}: the new end must be later; none of them was extended`,
  );
}
