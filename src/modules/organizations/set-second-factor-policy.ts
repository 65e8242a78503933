import type { SecondFactorPolicy } from '../../platform/database/generated/client.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';

/** Sets who needs a second factor. The policy applies from each person's next request. */
export async function setSecondFactorPolicy(
  { policy, userId }: { policy: SecondFactorPolicy; userId: string },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    const [current] = await tx.sql<{
      isEnabled: boolean;
      previousPolicy: SecondFactorPolicy;
    }>`
      select u.second_factor_enabled as "isEnabled", o.second_factor_policy as "previousPolicy"
      from users u, organizations o where u.id = ${userId} and o.id = ${organizationId}`;
    if (!current) throw notFound('Organization');
    const { isEnabled, previousPolicy } = current;
    if (policy !== 'OPTIONAL' && !isEnabled) {
      throw new AppError(
        'CONFLICT',
        'Set up a second factor for yourself first, so that you do not lock yourself out',
        'NO_SECOND_FACTOR',
      );
    }
    if (previousPolicy === policy) return;
    tx.enqueue`
      update organizations set second_factor_policy = ${policy}, updated_at = ${at} where id = ${organizationId}`;
    const changes = { secondFactorPolicy: policy, before: previousPolicy };
    record({
      action: 'set-second-factor-policy',
      targetType: 'Organization',
      targetId: organizationId,
      changes,
    });
  });
}
