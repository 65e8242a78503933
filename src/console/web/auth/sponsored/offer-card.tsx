import { Time } from '../../ui/time.tsx';
import type { OfferFragment } from './documents.ts';

type Given = Pick<
  OfferFragment,
  'campaignName' | 'durationMonths' | 'includedSeats' | 'sponsoredUntil'
>;

const monthsOf = (count: number): string => (count === 1 ? 'one month' : `${count} months`);
export const giftOf = ({
  sponsorName,
  durationMonths,
}: Pick<OfferFragment, 'sponsorName' | 'durationMonths'>): string =>
  `${sponsorName} gives you Atrium for ${monthsOf(durationMonths)}`;

/** What one is given, in three lines: how long, for how many, until when. */
export function OfferCard({
  offer: { campaignName, durationMonths, includedSeats, sponsoredUntil },
  isRunning = false,
}: {
  offer: Given;
  isRunning?: boolean;
}) {
  return (
    <section className="sponsored-card" aria-label="What is sponsored">
      <p className="sponsored-campaign">{campaignName}</p>
      <dl className="sponsored-facts">
        <div>
          <dt>Paid for</dt>
          <dd>{monthsOf(durationMonths)}</dd>
        </div>
        <div>
          <dt>Members</dt>
          <dd>{includedSeats === null ? 'no limit' : `up to ${includedSeats}`}</dd>
        </div>
        <div>
          <dt>Until</dt>
          <dd>
            <Time at={sponsoredUntil} />
            {!isRunning && <span className="hint">starting today</span>}
          </dd>
        </div>
      </dl>
    </section>
  );
}
