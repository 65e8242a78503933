import { t } from '../texts/text.ts';
import './offer-card.css';
import { type Branding, SponsorBand } from './sponsor-band.tsx';
import { Time } from './time.tsx';

type OfferSummary = {
  campaignName: string;
  durationMonths: number;
  includedSeats: number | null;
  sponsoredUntil: string;
};

export const offerTitle = ({
  sponsorName,
  durationMonths,
}: {
  sponsorName: string;
  durationMonths: number;
}): string => t('sponsored.offerTitle', { sponsorName, count: durationMonths });

/** The offer in three facts: how long, how many members, until when. */
export function OfferCard({
  offer: { campaignName, durationMonths, includedSeats, sponsoredUntil },
  brandedBy,
  isRunning = false,
}: {
  offer: OfferSummary;
  brandedBy?: { name: string; branding: Branding };
  isRunning?: boolean;
}) {
  return (
    <section className="sponsored-card" aria-label={t('sponsored.offer')}>
      {brandedBy && <SponsorBand {...brandedBy} />}
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
