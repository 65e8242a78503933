import { expect, test } from 'vitest';
import {
  chartHeight,
  chartWidth,
  nearestPoint,
  roundMaximum,
  segmentPaths,
  splitAtGaps,
  toX,
} from '../../src/console/web/vault/timeline-shape.ts';

const minuteMs = 60_000;
const pointsAt = (...minutes: number[]) =>
  minutes.map((minute) => ({ atMs: minute * minuteMs, value: minute }));
const frame = { fromMs: 0, untilMs: 10 * minuteMs, maximum: 10 };

test.each([
  [0.2, 1],
  [1, 1],
  [1.1, 2],
  [3, 5],
  [51, 100],
  [1_200, 2_000],
])('The upper edge of a chart with the highest value %d is %d', (highest, expected) => {
  expect(
    roundMaximum([
      { atMs: 0, value: highest / 2 },
      { atMs: 1, value: highest },
    ]),
  ).toBe(expected);
});

test('The line has a gap exactly where samples are missing', () => {
  const minutesOf = (...minutes: number[]) =>
    splitAtGaps(pointsAt(...minutes)).map((segment) => segment.map(({ value }) => value));
  expect(minutesOf(0, 1, 2, 4, 5)).toEqual([[0, 1, 2, 4, 5]]);
  expect(minutesOf(0, 1, 2, 9, 10)).toEqual([
    [0, 1, 2],
    [9, 10],
  ]);
  // Disks are sampled every five minutes, so a distance of five minutes is not a gap.
  expect(minutesOf(0, 5, 10)).toEqual([[0, 5, 10]]);
  expect(minutesOf(3)).toEqual([[3]]);
});

test('The line spans the period and the height of the chart, and never leaves it', () => {
  const { line, area } = segmentPaths(
    [...pointsAt(0, 5), { atMs: 20 * minuteMs, value: 99 }],
    frame,
  );
  expect(line).toBe(`M0,${chartHeight}L${chartWidth / 2},${chartHeight / 2}L${chartWidth},0`);
  expect(area).toBe(
    `M0,${chartHeight}L0,${chartHeight}L${chartWidth / 2},${chartHeight / 2}L${chartWidth},0L${chartWidth},${chartHeight}Z`,
  );
});

test('A single sample is visible, also at the right edge', () => {
  for (const minute of [0, 10]) {
    const xCoordinates = [
      ...segmentPaths(pointsAt(minute), frame).line.matchAll(/(\d+),(\d+)/g),
    ].map(([, x]) => Number(x));
    expect(Math.max(...xCoordinates) - Math.min(...xCoordinates)).toBeGreaterThan(5);
    expect(Math.min(...xCoordinates)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xCoordinates)).toBeLessThanOrEqual(chartWidth);
  }
});

test('The pointer selects the nearest sample', () => {
  const points = pointsAt(0, 4, 10);
  expect(
    [0, 0.3, 0.69, 0.71, 1].map((fraction) => nearestPoint(fraction, points, frame)?.value),
  ).toEqual([0, 4, 4, 10, 10]);
  expect(nearestPoint(0.5, [], frame)).toBeUndefined();
  expect(toX(5 * minuteMs, frame)).toBe(chartWidth / 2);
});
