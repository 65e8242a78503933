import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';

/** The garbage collector, which Node.js exposes by a flag that can be set while it runs. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

describe('Metrics', () => {
  it('Each registry has the metrics of the process', async () => {
    for (const { registry } of [createMetrics(), createMetrics()]) {
      const text = await registry.metrics();
      expect(text).toMatch(/^process_cpu_seconds_total [0-9.e-]+$/m);
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [0-9.e-]+$/m);
    }
  });

  it('The metrics of a closed app are garbage', async () => {
    const references = Array.from({ length: 20 }, () => new WeakRef(createMetrics().registry));
    // A WeakRef keeps its target until the current task ends.
    await new Promise((resolve) => setTimeout(resolve, 10));
    garbageCollector()();
    expect(references.filter((reference) => reference.deref()).length).toBeLessThan(5);
  });
});
