import type { SecondFactorPolicy } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

/** Sets who needs a second factor. The policy applies from each person's next request. */
export async function setSecondFactorPolicy(
  { policy, userId }: { policy: SecondFactorPolicy; userId: string },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const { secondFactorEnabled } = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { secondFactorEnabled: true },
    });
    if (policy !== 'OPTIONAL' && !secondFactorEnabled) {
      throw new AppError(
        'CONFLICT',
        'Set up a second factor for yourself first, so that you do not lock yourself out',
        'NO_SECOND_FACTOR',
      );
    }
    const { secondFactorPolicy: previousPolicy } = await tx.organization.findUniqueOrThrow({
      where: { id: organizationId },
      select: { secondFactorPolicy: true },
    });
    if (previousPolicy === policy) return;
    await tx.organization.update({
      where: { id: organizationId },
      data: { secondFactorPolicy: policy, updatedAt: at },
      select: { id: true },
    });
    const changes = { secondFactorPolicy: policy, before: previousPolicy };
    await record({
      action: 'set-second-factor-policy',
      targetType: 'Organization',
      targetId: organizationId,
      changes,
    });
  });
}
