/** A part of a whole as a bar; the numbers stand beside it, so it says nothing of its own. */
export function Share({ part, whole }: { part: number; whole: number }) {
  const percent = whole === 0 ? 0 : Math.min(100, (100 * part) / whole);
  return (
    <span className="sponsorship-share" aria-hidden="true">
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
