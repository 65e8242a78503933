import { t } from '../../texts/text.ts';
import { Time } from '../../ui/time.tsx';
import type { OfferFragment } from './documents.ts';

type OfferSummary = Pick<
  OfferFragment,
  'campaignName' | 'durationMonths' | 'includedSeats' | 'sponsoredUntil'
>;

export const offerTitle = ({
  sponsorName,
  durationMonths,
}: Pick<OfferFragment, 'sponsorName' | 'durationMonths'>): string =>
  t('sponsored.offerTitle', { sponsorName, count: durationMonths });

/** The offer in three facts: how long, how many members, until when. */
export function OfferCard({
  offer: { campaignName, durationMonths, includedSeats, sponsoredUntil },
  isRunning = false,
}: {
  offer: OfferSummary;
  isRunning?: boolean;
}) {
  return (
    <section className="sponsored-card" aria-label={t('sponsored.offer')}>
      <p className="sponsored-campaign">{campaignName}</p>
      <dl className="sponsored-facts">
        <div>
          <dt>{t('sponsored.paidFor')}</dt>
          <dd>{t('sponsored.months', { count: durationMonths })}</dd>
        </div>
        <div>
          <dt>{t('sponsored.members')}</dt>
          <dd>
            {includedSeats === null
              ? t('sponsored.unlimited')
              : t('sponsored.upTo', { includedSeats })}
          </dd>
        </div>
        <div>
          <dt>{t('sponsored.until')}</dt>
          <dd>
            <Time at={sponsoredUntil} />
            {!isRunning && <span className="hint">{t('sponsored.ifYouStartToday')}</span>}
          </dd>
        </div>
      </dl>
    </section>
  );
}
