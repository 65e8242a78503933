import { AppError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { lockRedemption } from './lock-redemption.ts';
import { readRedemption } from './read-redemption.ts';
import type { Redemption } from './redemption.ts';

type ExtendRedemption = { redemptionId: string; newSponsoredUntil: Date; reason?: string | null | undefined };

/**
 * Moves the end of a sponsorship to a later time, whether or not it has ended, for the redemption and for the workspace that
 * it pays for. The row is held meanwhile, so that of many at once each accepted one is later than the one before.
 */
export async function extendRedemption({ redemptionId, newSponsoredUntil, reason }: ExtendRedemption, writer: Writer): Promise<Redemption> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record) => {
    const { sponsoredUntil, sponsoredOrganizationId } = await lockRedemption({ organizationId, redemptionId }, tx);
    if (newSponsoredUntil <= sponsoredUntil) throw new AppError('BAD_INPUT', 'newSponsoredUntil must be later than the current end of the sponsorship');
    const given = typeof reason === 'string' ? { extensionReason: reason } : {};
    await tx.redemption.update({
      where: { id: redemptionId },
      data: { sponsoredUntil: newSponsoredUntil, extendedUntil: newSponsoredUntil, ...given },
      select: { id: true },
    });
    await tx.organization.update({ where: { id: sponsoredOrganizationId }, data: { sponsoredUntil: newSponsoredUntil }, select: { id: true } });
    const changes = { sponsoredUntil: { from: sponsoredUntil.toISOString(), to: newSponsoredUntil.toISOString() }, ...given };
    await record({ action: 'extend-redemption', targetType: 'Redemption', targetId: redemptionId, changes });
  });
  return readRedemption({ organizationId, redemptionId }, writer);
}
