/** One of the stacked values. The colours are those of the light and the dark theme. */
export type ChartSeries = { key: string; label: string; colour: 1 | 2 | 3 | 4 };
export type ChartPoint = { key: string; label: string; values: Readonly<Record<string, number>> };

export type ChartData = {
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  /** Formats a value. */
  format?: (value: number) => string;
  /** Whether the values are counts, for which the axis shows whole numbers only. */
  isCount?: boolean;
};
