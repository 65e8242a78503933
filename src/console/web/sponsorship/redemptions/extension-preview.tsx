import { formatUtcDate } from '../utc-date.tsx';
import { formatCount } from './billing-dialog.tsx';
import type { SelectedRedemptions } from './selected-redemptions.ts';

/**
 * A preview of the extension: how many sponsorships, their current ends, and which of them block
 * it.
 */
export function ExtensionPreview({
  selected,
  until,
}: {
  selected: SelectedRedemptions;
  until: string;
}) {
  const rows = [...selected.values()];
  const ends = rows.map(({ sponsoredUntil }) => sponsoredUntil).sort();
  const [first = '', last = ''] = [ends[0], ends.at(-1)];
  const endedCount = ends.filter((end) => Date.parse(end) <= Date.now()).length;
  const conflicts =
    until === ''
      ? []
      : rows.filter(({ sponsoredUntil }) => Date.parse(sponsoredUntil) >= Date.parse(`${until}Z`));
  return (
    <div className={conflicts.length > 0 ? 'notice notice-bad' : 'notice'} aria-live="polite">
      <p>
        {formatCount(rows.length)}, ending{' '}
        {formatUtcDate(first) === formatUtcDate(last)
          ? formatUtcDate(first)
          : `between ${formatUtcDate(first)} and ${formatUtcDate(last)}`}
        {endedCount > 0 &&
          `; ${endedCount.toLocaleString()} ${endedCount === 1 ? 'has' : 'have'} already ended`}
        . If one cannot be extended, none is extended.
      </p>
      {conflicts.length > 0 && (
        <p>
          {conflicts[0]?.organizationName}
          {conflicts.length > 1 && ` and ${(conflicts.length - 1).toLocaleString()} more`}{' '}
          {conflicts.length > 1 ? 'already end' : 'already ends'} later. Choose a later date, or
          clear the selection of these rows.
        </p>
      )}
    </div>
  );
}
