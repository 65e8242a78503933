import {
  type ComponentProps,
  type ComponentType,
  startTransition,
  useEffect,
  useRef,
  useState,
} from 'react';

type Bars = ComponentType<ComponentProps<typeof import('./bars.tsx').Bars>>;

/** A busy page draws its charts after this. */
const idleWaitMs = 1_000;
const waiting = new Set<() => void>();
let isDrawing = false;

/** Safari has no idle callbacks. */
const whenIdle = (run: () => void) =>
  'requestIdleCallback' in globalThis
    ? requestIdleCallback(run, { timeout: idleWaitMs })
    : setTimeout(run, 50);

function drawNext(): void {
  if (isDrawing) return;
  isDrawing = true;
  whenIdle(() => {
    const [draw] = waiting;
    if (!draw) return endTurn();
    waiting.delete(draw);
    draw();
  });
}

function endTurn(): void {
  isDrawing = false;
  if (waiting.size > 0) drawNext();
}

function endOwnTurn(isDrawn: { current: boolean }): void {
  if (isDrawn.current) return;
  isDrawn.current = true;
  endTurn();
}

/**
 * The component that draws bars, once it may do so. Its library is larger than the rest of the page,
 * so it is loaded with the first chart. Drawing takes a while on a phone, so the page is shown
 * before, and its charts are drawn one after the other, with time for a click in between.
 */
export function useBars(): Bars | undefined {
  const [Bars, setBars] = useState<Bars>();
  const [fault, setFault] = useState<unknown>();
  const isDrawn = useRef(true);
  useEffect(() => {
    let isCurrent = true;
    let draw = () => {};
    import('./bars.tsx').then((module) => {
      if (!isCurrent) return;
      draw = () => {
        isDrawn.current = false;
        startTransition(() => setBars(() => module.Bars));
      };
      waiting.add(draw);
      drawNext();
    }, setFault);
    return () => {
      isCurrent = false;
      waiting.delete(draw);
      endOwnTurn(isDrawn);
    };
  }, []);
  useEffect(() => {
    if (Bars) endOwnTurn(isDrawn);
  }, [Bars]);
  if (fault) throw fault;
  return Bars;
}
