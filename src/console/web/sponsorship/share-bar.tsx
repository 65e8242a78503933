/**
 * A bar that shows a part of a total. It is hidden from screen readers, because the numbers stand
 * next to it.
 */
export function ShareBar({ part, total }: { part: number; total: number }) {
  const percent = total === 0 ? 0 : Math.min(100, (100 * part) / total);
  return (
    <span className="sponsorship-share" aria-hidden="true">
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
