type TimeProps = { at: string; style?: 'date' | 'moment' | 'ago' };

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A moment for people, in their own time zone; the exact one is told on hovering. */
export function Time({ at, style = 'date' }: TimeProps) {
  const value = new Date(at);
  const text = style === 'ago' ? ago(value) : (style === 'date' ? date : moment).format(value);
  return (
    <time dateTime={at} title={moment.format(value)}>
      {text}
    </time>
  );
}

function ago(value: Date): string {
  const seconds = (value.getTime() - Date.now()) / 1000;
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' ? 'just now' : relative.format(Math.round(seconds / size), unit);
}
