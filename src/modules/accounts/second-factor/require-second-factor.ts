import type { GenericEndpointContext } from 'better-auth';
import type { AccountServices } from '../account-services.ts';
import { beginSecondStep, needsSecondFactor } from './pending-sign-in.ts';

type NewSession = { userId: string; secondFactorAt?: Date | null };

/**
 * Runs before any session is stored, whatever way of signing in asks for it. For an account with a
 * second factor a session exists only after that factor was shown; otherwise the second step begins
 * in the browser that asks.
 */
export async function requireSecondFactor(
  session: NewSession,
  ctx: GenericEndpointContext | null,
  parts: Pick<AccountServices, 'database' | 'clock'>,
): Promise<void> {
  if (session.secondFactorAt) return;
  const { userId } = session;
  const user = await parts.database.prisma.user.findUnique({
    where: { id: userId },
    select: { secondFactorEnabled: true },
  });
  if (!user?.secondFactorEnabled) return;
  if (ctx) await beginSecondStep(ctx, userId, parts);
  throw needsSecondFactor();
}
