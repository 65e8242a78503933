import type { Allowance, Limits } from '../../platform/limits.ts';
import { networkOf } from '../../platform/network-of.ts';
import { reservationIdOf } from './reservation-token.ts';

// As long as a place is held. So one machine holds 20 places, or 40 around the window's edge, however large the campaign is.
const windowSeconds = 1800;
const placesMax = 20;

/** How many places a network has newly taken and not yet turned into a workspace: a class behind one address may be larger. */
export function newPlaces({ clientAddress }: { clientAddress: string | undefined }, { limits }: { limits: Limits }) {
  const name = `sponsored-places:${networkOf(clientAddress)}`;
  const giveBack = () => limits.giveBack(name, windowSeconds);
  return {
    take: (): Promise<Allowance> => limits.take(name, placesMax, windowSeconds),
    giveBack,
    /** Once for each reservation, however often it is shown. */
    async wasUsed({ reservation }: { reservation: string }): Promise<void> {
      const { exceeded } = await limits.take(`sponsored-place-used:${reservationIdOf(reservation)}`, 1, windowSeconds);
      if (!exceeded) await giveBack();
    },
  };
}
