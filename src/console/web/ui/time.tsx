type TimeProps = {
  at: string | null;
  style?: 'date' | 'moment' | 'ago';
  /** Shown when there is no time. */
  none?: string;
};

const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const unitSeconds = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time in the person's time zone. The tooltip shows the exact time. */
export function Time({ at, style = 'date', none = 'Never' }: TimeProps) {
  if (at === null) return <span className="quiet">{none}</span>;
  const value = new Date(at);
  const text =
    style === 'ago'
      ? relativeTime(value)
      : (style === 'date' ? dateOnly : dateAndTime).format(value);
  return (
    <time dateTime={at} title={dateAndTime.format(value)}>
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
  return unit === 'second' ? 'just now' : relative.format(Math.round(seconds / size), unit);
}
