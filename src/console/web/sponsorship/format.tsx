import { formatDate, formatNumber } from '../texts/format.ts';
import { t } from '../texts/text.ts';

const utcDate = { dateStyle: 'medium', timeZone: 'UTC' } as const;
const utcDateTime = { ...utcDate, timeStyle: 'short' } as const;
const utcMonth = { month: 'short', year: '2-digit', timeZone: 'UTC' } as const;

/**
 * A date in UTC. Sponsorships start, end and are billed in UTC, whatever the person's time zone is.
 */
export const UtcDate = ({ at }: { at: string }) => (
  <time className="sponsorship-day" dateTime={at} title={formatUtcDateTime(at)}>
    {formatUtcDate(at)}
  </time>
);

export const UtcDateTime = ({ at }: { at: string }) => (
  <time dateTime={at}>{formatUtcDateTime(at)}</time>
);

const formatUtcDateTime = (at: string) => `${formatDate(new Date(at), utcDateTime)} UTC`;
export const formatUtcDate = (at: string): string => formatDate(new Date(at), utcDate);
export const formatUtcFullMonth = (at: string): string =>
  formatDate(new Date(at), { month: 'long', year: 'numeric', timeZone: 'UTC' });
export const formatUtcMonth = (at: string): string => formatDate(new Date(at), utcMonth);

// A price can have fractions of a cent. The API stores amounts with ten decimals and adds them up
// exactly; rounded ones would not add up to their total.
const euro = {
  style: 'currency',
  currency: 'EUR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 10,
} as const;
const wholeEuro = { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 } as const;

/** Redemptions per click. */
export const formatConversion = (conversion: number | null): string =>
  conversion === null
    ? '–'
    : formatNumber(conversion, { style: 'percent', maximumFractionDigits: 1 });

export const formatEuro = (amount: number | null): string =>
  amount === null ? '–' : formatNumber(amount, euro);

/** For axes and key figures, where cents do not matter. */
export const formatWholeEuro = (amount: number): string => formatNumber(amount, wholeEuro);

type CampaignPrice = { model: string; amountEur: number; unit: string };

export const formatPrice = ({ model, amountEur, unit }: CampaignPrice): string =>
  model === 'FIXED' && unit === 'PER_REDEMPTION'
    ? t('sponsorship.pricePerRedemption', { price: formatEuro(amountEur) })
    : `${formatEuro(amountEur)} (${model}, ${unit})`;

export const formatMonths = (count: number): string => t('sponsorship.months', { count });

/**
 * A bar that shows a part of a total. It is hidden from screen readers, because the numbers stand
 * next to it.
 */
export const ShareBar = ({ part, total }: { part: number; total: number }) => (
  <span className="share-bar" aria-hidden="true">
    <span style={{ width: `${total === 0 ? 0 : Math.min(100, (100 * part) / total)}%` }} />
  </span>
);
