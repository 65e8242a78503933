import type { GenericEndpointContext } from 'better-auth';
import type { AccountServices } from '../account-services.ts';
import { beginSecondStep, needsSecondFactor } from './pending-sign-in.ts';

type NewSession = { userId: string; secondFactorAt?: Date | null };

/**
 * Runs before any session is stored, after every kind of sign-in. An account with a second factor
 * gets a session only after the person has passed that factor; otherwise the second step begins in
 * this browser.
 */
export async function requireSecondFactor(
  session: NewSession,
  ctx: GenericEndpointContext | null,
  services: Pick<AccountServices, 'database' | 'clock'>,
): Promise<void> {
  if (session.secondFactorAt) return;
  const { userId } = session;
  const [user] = await services.database.sql<{ isEnabled: boolean }>`
    select second_factor_enabled as "isEnabled" from users where id = ${userId}`;
  if (!user?.isEnabled) return;
  if (ctx) await beginSecondStep(ctx, userId, services);
  throw needsSecondFactor();
}
