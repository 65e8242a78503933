import { dayOf } from '../day.tsx';
import { counted } from './bill-dialog.tsx';
import type { Chosen } from './redemption-list.tsx';

/** How many are extended, from which ends, and what would stand against it. */
export function ExtensionPreview({ chosen, until }: { chosen: Chosen; until: string }) {
  const rows = [...chosen.values()];
  const ends = rows.map(({ sponsoredUntil }) => sponsoredUntil).sort();
  const [first = '', last = ''] = [ends[0], ends.at(-1)];
  const ended = ends.filter((end) => Date.parse(end) <= Date.now()).length;
  const against =
    until === ''
      ? []
      : rows.filter(({ sponsoredUntil }) => Date.parse(sponsoredUntil) >= Date.parse(`${until}Z`));
  return (
    <div className={against.length > 0 ? 'notice notice-bad' : 'notice'} aria-live="polite">
      <p>
        {counted(rows.length)}, ending{' '}
        {dayOf(first) === dayOf(last) ? dayOf(first) : `between ${dayOf(first)} and ${dayOf(last)}`}
        {ended > 0 && `; ${ended.toLocaleString()} ${ended === 1 ? 'has' : 'have'} ended already`}.
        All of them, or none.
      </p>
      {against.length > 0 && (
        <p>
          {against[0]?.organizationName}
          {against.length > 1 && ` and ${(against.length - 1).toLocaleString()} more`} would not end
          later: choose a later date, or leave them out.
        </p>
      )}
    </div>
  );
}
