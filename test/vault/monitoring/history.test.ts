import { describe, expect, it } from 'vitest';
import { createHistory } from '../../../src/vault/monitoring/history.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');

function historyAt({ intervals = [60] }: { intervals?: number[] } = {}) {
  let nowMs = startMs;
  const history = createHistory({ intervals, clock: () => new Date(nowMs) });
  return {
    ...history,
    pass(seconds: number) {
      nowMs += seconds * 1000;
    },
  };
}

describe('createHistory', () => {
  it('Points are ordered from oldest to newest, and values that were not sampled are null', () => {
    const history = historyAt();
    history.record({ cpuPercent: 10 });
    history.pass(60);
    history.record({ cpuPercent: 30, memoryPercent: 50 });
    expect(history.last(60)).toEqual([
      expect.objectContaining({
        at: '2026-01-01T00:00:00.000Z',
        cpuPercent: 10,
        memoryPercent: null,
      }),
      expect.objectContaining({
        at: '2026-01-01T00:01:00.000Z',
        cpuPercent: 30,
        memoryPercent: 50,
      }),
    ]);
  });

  it('A point contains the averages of the samples of its step', () => {
    const history = historyAt({ intervals: [0, 300, 20] });
    expect(history.stepSeconds).toBe(20);
    history.record({ cpuPercent: 10, storagePercent: null });
    history.record({ cpuPercent: 25 });
    expect(history.last(1)).toEqual([
      expect.objectContaining({ cpuPercent: 17.5, storagePercent: null }),
    ]);
  });

  it('The history covers one day at most and has a limited number of points', () => {
    const history = historyAt({ intervals: [1] });
    for (let step = 0; step < 3 * 17_280; step += 1) {
      history.record({ cpuPercent: step });
      history.pass(5);
    }
    const points = history.last(1440);
    expect(points.length).toBeGreaterThan(200);
    expect(points.length).toBeLessThanOrEqual(240);
    expect(Date.parse(points[0]?.at ?? '')).toBeGreaterThanOrEqual(
      startMs + 2 * 86_400_000 - 400_000,
    );
    const firstFigure = points[0]?.cpuPercent ?? 0;
    expect(firstFigure).toBeGreaterThanOrEqual(2 * 17_280 - 72);
  });

  it('The points of the last minutes contain nothing older and keep their times in repeated requests', () => {
    const history = historyAt({ intervals: [5] });
    for (let second = 0; second < 7_200; second += 5) {
      history.record({ cpuPercent: 1 });
      history.pass(5);
    }
    const points = history.last(60);
    expect(Date.parse(points[0]?.at ?? '')).toBeGreaterThanOrEqual(startMs + 3_600_000 - 15_000);
    history.pass(5);
    const later = new Set(history.last(60).map(({ at }) => at));
    expect(points.slice(1, -1).every(({ at }) => later.has(at))).toBe(true);
  });

  it('Points stay ordered if the clock is set back', () => {
    const history = historyAt();
    history.record({ cpuPercent: 10 });
    history.pass(-600);
    history.record({ cpuPercent: 20 });
    expect(history.last(1440).map(({ cpuPercent }) => cpuPercent)).toEqual([15]);
  });
});
