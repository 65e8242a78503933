const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const month = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
});

/**
 * A date of the contract. Sponsorships begin, end and are billed in UTC, wherever they are looked
 * at.
 */
export function Day({ at }: { at: string }) {
  return (
    <time className="sponsorship-day" dateTime={at} title={`${moment.format(new Date(at))} UTC`}>
      {dayOf(at)}
    </time>
  );
}

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{moment.format(new Date(at))} UTC</time>;
}

export const dayOf = (at: string): string => day.format(new Date(at));
export const monthOf = (at: string): string => month.format(new Date(at));
