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
export function UtcDate({ at }: { at: string }) {
  return (
    <time
      className="sponsorship-day"
      dateTime={at}
      title={`${dateTimeFormat.format(new Date(at))} UTC`}
    >
      {formatUtcDate(at)}
    </time>
  );
}

export function UtcDateTime({ at }: { at: string }) {
  return <time dateTime={at}>{dateTimeFormat.format(new Date(at))} UTC</time>;
}

export const formatUtcDate = (at: string): string => dateFormat.format(new Date(at));
export const formatUtcMonth = (at: string): string => monthFormat.format(new Date(at));
