import { Time } from '../../ui/time.tsx';
import type { OfferFragment } from './documents.ts';

type OfferSummary = Pick<
  OfferFragment,
  'campaignName' | 'durationMonths' | 'includedSeats' | 'sponsoredUntil'
>;

const formatMonths = (count: number): string => (count === 1 ? 'one month' : `${count} months`);
export const offerTitle = ({
  sponsorName,
  durationMonths,
}: Pick<OfferFragment, 'sponsorName' | 'durationMonths'>): string =>
  `${sponsorName} gives you Atrium for ${formatMonths(durationMonths)}`;

/** The offer in three facts: how long, how many members, until when. */
export function OfferCard({
  offer: { campaignName, durationMonths, includedSeats, sponsoredUntil },
  isRunning = false,
}: {
  offer: OfferSummary;
  isRunning?: boolean;
}) {
  return (
    <section className="sponsored-card" aria-label="Offer">
      <p className="sponsored-campaign">{campaignName}</p>
      <dl className="sponsored-facts">
        <div>
          <dt>Paid for</dt>
          <dd>{formatMonths(durationMonths)}</dd>
        </div>
        <div>
          <dt>Members</dt>
          <dd>{includedSeats === null ? 'unlimited' : `up to ${includedSeats}`}</dd>
        </div>
        <div>
          <dt>Until</dt>
          <dd>
            <Time at={sponsoredUntil} />
            {!isRunning && <span className="hint">if you start today</span>}
          </dd>
        </div>
      </dl>
    </section>
  );
}
