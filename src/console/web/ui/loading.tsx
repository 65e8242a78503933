/** Holds the place of what is being loaded, so that nothing jumps when it is there. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div className="loading" role="status" aria-busy="true">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike and never move
        <span key={line} className="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}
