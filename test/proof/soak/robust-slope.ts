import { median } from '../../bench/statistics.ts';

export type SlopePoint = { minute: number; value: number };

/**
 * The Theil–Sen estimator: the median of the slopes between all pairs of points. A single jump or a
 * temporary rise does not change it.
 */
export function robustSlope(points: readonly SlopePoint[]): number {
  const slopes = points.flatMap((first, index) =>
    points
      .slice(index + 1)
      .map((second) => (second.value - first.value) / (second.minute - first.minute)),
  );
  return median(slopes.filter(Number.isFinite));
}
