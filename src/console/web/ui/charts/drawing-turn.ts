import { startTransition, useEffect, useState } from 'react';

/** A busy page draws its charts after this. */
const idleWaitMs = 1_000;
const waiting = new Set<() => void>();

/** Safari has no idle callbacks. */
const whenIdle = (run: () => void) =>
  'requestIdleCallback' in globalThis
    ? requestIdleCallback(run, { timeout: idleWaitMs })
    : setTimeout(run, 50);

function drawNext(): void {
  const [draw] = waiting;
  if (!draw) return;
  waiting.delete(draw);
  draw();
  if (waiting.size > 0) whenIdle(drawNext);
}

/**
 * Whether a chart may be drawn. Drawing takes a while on a phone, so the page is shown before, and
 * the charts of a page are drawn one after the other, with time for a click in between.
 */
export function useDrawingTurn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const draw = () => startTransition(() => setDrawn(true));
    waiting.add(draw);
    if (waiting.size === 1) whenIdle(drawNext);
    return () => {
      waiting.delete(draw);
    };
  }, []);
  return isDrawn;
}
