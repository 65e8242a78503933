/** How far something is, from 0 to 1; without a value it is under way. */
export function Progress({ value, label }: { value?: number; label: string }) {
  return (
    <progress
      className="progress"
      aria-label={label}
      {...(value === undefined ? {} : { value })}
      max={1}
    />
  );
}
