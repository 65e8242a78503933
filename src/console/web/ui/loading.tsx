/**
 * A placeholder with the height of the content that is loading, so that the layout does not jump.
 */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div className="loading" role="status" aria-busy="true">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder lines are identical and never change their order
        <span key={line} className="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}
