import { jsonBytesMax } from '../http/body.ts';
import type { ByteBudget, ByteReservation } from '../http/byte-budget.ts';
import { isCoded } from '../http/content-coding.ts';
import type { Context } from './context.ts';

/** Reserves memory for a JSON body before it is read. */
export function reserveJsonBody(
  { headers }: Request,
  context: Context,
  budget: ByteBudget,
): ByteReservation {
  const reservation = budget.reservationFor(budgetOwner(context));
  const announced = Number(headers.get('content-length') ?? 0) || 0;
  reservation.reserve(
    headers.has('transfer-encoding') || (announced > 0 && isCoded(headers))
      ? jsonBytesMax
      : Math.min(announced, jsonBytesMax),
  );
  return reservation;
}

/**
 * The owner for the byte budget: the person behind a key or session, the organization for an
 * organization key, or the network address of an anonymous request.
 */
export function budgetOwner({ viewer, clientInfo }: Context): string {
  if (viewer === null) return `address ${clientInfo.address ?? ''}`;
  return viewer.kind === 'ORGANIZATION_KEY'
    ? `organization ${viewer.organizationId}`
    : `person ${viewer.userId}`;
}
