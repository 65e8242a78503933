import { jsonBytesMax } from '../platform/body.ts';
import type { ByteBudget, Reservation } from '../platform/byte-budget.ts';
import { isCoded } from '../platform/content-coding.ts';
import type { Context } from './context.ts';

/** The part of the budget that a body of JSON may need, reserved before it is read. */
export function reserveJsonBody(
  { headers }: Request,
  context: Context,
  budget: ByteBudget,
): Reservation {
  const reservation = budget.reservationFor(budgetOwner(context));
  const announced = Number(headers.get('content-length') ?? 0) || 0;
  reservation.take(
    headers.has('transfer-encoding') || (announced > 0 && isCoded(headers))
      ? jsonBytesMax
      : Math.min(announced, jsonBytesMax),
  );
  return reservation;
}

/**
 * The person behind a key or a session; an organization for its own keys; the network address of
 * everybody else.
 */
export function budgetOwner({ viewer, clientInfo }: Context): string {
  if (viewer === null) return `address ${clientInfo.address ?? ''}`;
  return viewer.kind === 'ORGANIZATION_KEY'
    ? `organization ${viewer.organizationId}`
    : `person ${viewer.userId}`;
}
