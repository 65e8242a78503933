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

describe('figures over time', () => {
  it('come back oldest first, each at its time, and what was not sampled is null', () => {
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

  it('are averages of what was sampled in a step', () => {
    const history = historyAt({ intervals: [0, 300, 20] });
    expect(history.stepSeconds).toBe(20);
    history.record({ cpuPercent: 10, storagePercent: null });
    history.record({ cpuPercent: 25 });
    expect(history.last(1)).toEqual([
      expect.objectContaining({ cpuPercent: 17.5, storagePercent: null }),
    ]);
  });

  it('reach back a day and no further, however long it runs and however often it samples', () => {
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

  it('of the last minutes hold nothing older, and their points stay where they are when asked for again', () => {
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

  it('keep their order when the clock is set back', () => {
    const history = historyAt();
    history.record({ cpuPercent: 10 });
    history.pass(-600);
    history.record({ cpuPercent: 20 });
    expect(history.last(1440).map(({ cpuPercent }) => cpuPercent)).toEqual([15]);
  });
});
