/** A progress bar from 0 to 1; without a value the progress is unknown. */
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
