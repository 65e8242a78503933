import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type CgroupCpu, readCgroup } from './cgroup.ts';

const resolutionMs = 10;
// Use is work over time: the first sample, at the start, needs some time to look back on.
const lookBackMs = 200;

/**
 * Takes processor, memory and this process' own figures. Usage is that since the sample before, or
 * since the start.
 */
export function createSystemProbe(root?: string) {
  const loop = monitorEventLoopDelay({ resolution: resolutionMs });
  loop.enable();
  let before: Promise<CpuTime> = cpuTime(root);

  async function sample() {
    const last = await before;
    await wait(Math.max(0, last.at + lookBackMs - performance.now()), undefined, { ref: false });
    const { memory } = await readCgroup(root);
    const now = await cpuTime(root);
    before = Promise.resolve(now);
    const hostBytes = totalmem();
    const limited = memory && memory.limitBytes < hostBytes ? memory : undefined;
    const totalBytes = limited?.limitBytes ?? hostBytes;
    const usedBytes = Math.min(totalBytes, limited?.usedBytes ?? hostBytes - freemem());
    const { rss, heapUsed } = process.memoryUsage();
    const eventLoopDelayMs = Number.isNaN(loop.mean)
      ? 0
      : Math.max(0, loop.mean / 1e6 - resolutionMs);
    loop.reset();
    return {
      cpu: {
        usagePercent: usageBetween(last, now),
        cores: now.cores,
        loadAverage: loadavg(),
        source: now.source,
      },
      memory: {
        totalBytes,
        usedBytes,
        freeBytes: totalBytes - usedBytes,
        usagePercent: percent(usedBytes, totalBytes),
        source: limited?.source ?? 'host',
      },
      process: {
        rssBytes: rss,
        heapUsedBytes: heapUsed,
        eventLoopDelayMs: Math.round(eventLoopDelayMs * 100) / 100,
      },
    };
  }
  return { sample, close: () => void loop.disable() };
}

/** Of `part` in `whole`, with two digits. */
export const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.round((part / whole) * 10_000) / 100) : 0;

/** Microseconds of work done and microseconds that could have been worked, since some beginning. */
type CpuTime = {
  at: number;
  source: CgroupCpu['source'] | 'host';
  cores: number;
  busy: number;
  possible: number;
};

async function cpuTime(root: string | undefined): Promise<CpuTime> {
  const { cpu } = await readCgroup(root);
  const at = performance.now();
  if (cpu && cpu.cores < availableParallelism())
    return {
      at,
      source: cpu.source,
      cores: cpu.cores,
      busy: cpu.usedMicroseconds,
      possible: at * 1000 * cpu.cores,
    };
  const times = cpus().map((core) => core.times);
  const possible =
    times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0) *
    1000;
  return {
    at,
    source: 'host',
    cores: availableParallelism(),
    busy: possible - times.reduce((sum, { idle }) => sum + idle, 0) * 1000,
    possible,
  };
}

const usageBetween = (last: CpuTime, now: CpuTime) =>
  last.source === now.source && last.cores === now.cores
    ? percent(Math.max(0, now.busy - last.busy), now.possible - last.possible)
    : 0;
