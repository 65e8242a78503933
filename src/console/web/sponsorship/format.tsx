const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const dateTimeFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const monthFormat = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
});

/**
 * A date in UTC. Sponsorships start, end and are billed in UTC, whatever the person's time zone is.
 */
export const UtcDate = ({ at }: { at: string }) => (
  <time
    className="sponsorship-day"
    dateTime={at}
    title={`${dateTimeFormat.format(new Date(at))} UTC`}
  >
    {formatUtcDate(at)}
  </time>
);

export const UtcDateTime = ({ at }: { at: string }) => (
  <time dateTime={at}>{dateTimeFormat.format(new Date(at))} UTC</time>
);

export const formatUtcDate = (at: string): string => dateFormat.format(new Date(at));
export const formatUtcMonth = (at: string): string => monthFormat.format(new Date(at));

// A price can have fractions of a cent. Rounding to four digits hides the floating-point error of
// sums.
const euroFormat = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const wholeEuroFormat = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'EUR',
  maximumFractionDigits: 0,
});

export const formatEuro = (amount: number | null): string =>
  amount === null ? '–' : euroFormat.format(amount);

/** For axes and key figures, where cents do not matter. */
export const formatWholeEuro = (amount: number): string => wholeEuroFormat.format(amount);

type CampaignPrice = { model: string; amountEur: number; unit: string };

export const formatPrice = ({ model, amountEur, unit }: CampaignPrice): string =>
  model === 'FIXED' && unit === 'PER_REDEMPTION'
    ? `${formatEuro(amountEur)} per redemption`
    : `${formatEuro(amountEur)} (${model}, ${unit})`;

export const formatMonths = (count: number): string =>
  count === 1 ? '1 month' : `${count} months`;

/**
 * A bar that shows a part of a total. It is hidden from screen readers, because the numbers stand
 * next to it.
 */
export const ShareBar = ({ part, total }: { part: number; total: number }) => (
  <span className="share-bar" aria-hidden="true">
    <span style={{ width: `${total === 0 ? 0 : Math.min(100, (100 * part) / total)}%` }} />
  </span>
);
