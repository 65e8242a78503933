import { formatDate, relativeTimeFormat } from '../texts/format.ts';
import { t } from '../texts/text.ts';

type TimeProps = {
  at: string | null;
  style?: 'date' | 'moment' | 'ago';
  /** Shown when there is no time. */
  none?: string;
};

const dateOnly = { dateStyle: 'medium' } as const;
const dateAndTime = { dateStyle: 'medium', timeStyle: 'short' } as const;
const unitSeconds = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time in the person's time zone. The tooltip shows the exact time. */
export function Time({ at, style = 'date', none = t('ui.never') }: TimeProps) {
  if (at === null) return <span className="quiet">{none}</span>;
  const value = new Date(at);
  const text =
    style === 'ago'
      ? relativeTime(value)
      : formatDate(value, style === 'date' ? dateOnly : dateAndTime);
  return (
    <time dateTime={at} title={formatDate(value, dateAndTime)}>
      {text}
    </time>
  );
}

function relativeTime(value: Date): string {
  const seconds = (value.getTime() - Date.now()) / 1000;
  const [unit, size] = unitSeconds.find(([, length]) => Math.abs(seconds) >= length) ?? [
    'second',
    1,
  ];
  if (unit === 'second') return t('ui.justNow');
  return relativeTimeFormat({ numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
