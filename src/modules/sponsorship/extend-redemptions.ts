import { beyondOrganization } from '../../platform/database/scoped-prisma.ts';
import { AppError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { addMonths } from './add-months.ts';
import { type LockedRedemption, lockRedemptions } from './lock-redemptions.ts';

type ExtendRedemptions = {
  redemptionIds: readonly string[];
  /** Either a new end for all, or so many calendar months for each. */
  newSponsoredUntil?: Date | null | undefined;
  months?: number | null | undefined;
  reason?: string | null | undefined;
};

/**
 * Moves the ends of sponsorships to a later time, all or none of them, whether or not they have ended, for the redemptions and
 * for the workspaces that they pay for. The rows are held meanwhile, so that of many at once each accepted one is later than the
 * one before. As many statements for five hundred as for one.
 */
export async function extendRedemptions({ redemptionIds, newSponsoredUntil, months, reason }: ExtendRedemptions, writer: Writer): Promise<void> {
  const newEnd = newEndFor(newSponsoredUntil ?? null, months ?? null);
  const { organizationId } = writer.actor;
  if (redemptionIds.length === 0) return;
  await change(writer, async (tx, record, at) => {
    const locked = await lockRedemptions({ organizationId, redemptionIds }, tx);
    const moved = locked.map((one) => ({ ...one, until: newEnd(one, at) }));
    const tooEarly = moved.find(({ until, sponsoredUntil }) => until <= sponsoredUntil);
    if (tooEarly) throw notLater(tooEarly, redemptionIds.length === 1);
    const tooLate = moved.find(({ until }) => until.getUTCFullYear() > 9999);
    if (tooLate) throw new AppError('BAD_INPUT', `The sponsorship of ${nameOf(tooLate)} would end after the year 9999`);
    const ids = moved.map(({ id }) => id);
    const ends = moved.map(({ until }) => until.toISOString());
    await tx.$executeRaw`
      update redemptions r set sponsored_until = n.until, extended_until = n.until, extension_reason = coalesce(${reason ?? null}, r.extension_reason)
      from unnest(${ids}::text[], ${ends}::timestamptz[]) n (id, until) where r.id = n.id`;
    const workspaces = moved.map((one) => one.sponsoredOrganizationId);
    // A partner sees the workspaces that it pays for; this is all that it changes of them.
    await beyondOrganization(
      tx,
      () => tx.$executeRaw`
        update organizations o set sponsored_until = n.until, updated_at = ${at}
        from unnest(${workspaces}::text[], ${ends}::timestamptz[]) n (id, until) where o.id = n.id`,
    );
    const given = typeof reason === 'string' ? { extensionReason: reason } : {};
    await record(
      ...moved.map(({ id, sponsoredUntil, until }) => ({
        action: 'extend-redemption',
        targetType: 'Redemption',
        targetId: id,
        changes: { sponsoredUntil: { from: sponsoredUntil.toISOString(), to: until.toISOString() }, ...given },
      })),
    );
  });
}

type NewEnd = (redemption: LockedRedemption, at: Date) => Date;

/** Months are added to the end, or to the present where the end has passed: an extension is there to be used. */
function newEndFor(newSponsoredUntil: Date | null, months: number | null): NewEnd {
  if (newSponsoredUntil !== null && months === null) return () => newSponsoredUntil;
  if (months !== null && newSponsoredUntil === null) return ({ sponsoredUntil }, at) => addMonths(sponsoredUntil > at ? sponsoredUntil : at, months);
  throw new AppError('BAD_INPUT', 'Give either newSponsoredUntil or months');
}

const nameOf = ({ organizationName, id }: LockedRedemption) => `${organizationName} (redemption ${id})`;

function notLater(redemption: LockedRedemption, isAlone: boolean): AppError {
  if (isAlone) return new AppError('BAD_INPUT', 'newSponsoredUntil must be later than the current end of the sponsorship');
  const end = redemption.sponsoredUntil.toISOString();
  return new AppError('BAD_INPUT', `The sponsorship of ${nameOf(redemption)} ends at ${end}: the new end must be later; none of them was extended`);
}
