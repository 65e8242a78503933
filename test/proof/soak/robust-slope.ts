import { median } from '../../bench/statistics.ts';

export type Point = { minute: number; value: number };

/**
 * Theil and Sen: the median of the slopes between any two points. What jumps once, or comes and
 * goes, does not move it.
 */
export function robustSlope(points: readonly Point[]): number {
  const slopes = points.flatMap((from, at) =>
    points.slice(at + 1).map((to) => (to.value - from.value) / (to.minute - from.minute)),
  );
  return median(slopes.filter(Number.isFinite));
}
