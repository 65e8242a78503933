import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type CgroupCpu, readCgroup } from './cgroup.ts';

const resolutionMs = 10;
// Processor usage is measured between two points in time, so the first sample waits this long.
const lookBackMs = 200;

/**
 * Measures the processor, memory and this process. Processor usage is measured since the previous
 * sample, or since the start.
 */
export function createSystemProbe(root?: string) {
  const eventLoopDelay = monitorEventLoopDelay({ resolution: resolutionMs });
  eventLoopDelay.enable();
  let previousTimes: Promise<CpuTimes> = readCpuTimes(root);

  async function sample() {
    const previous = await previousTimes;
    await wait(Math.max(0, previous.at + lookBackMs - performance.now()), undefined, {
      ref: false,
    });
    const { memory } = await readCgroup(root);
    const now = await readCpuTimes(root);
    previousTimes = Promise.resolve(now);
    const hostBytes = totalmem();
    const limitedMemory = memory && memory.limitBytes < hostBytes ? memory : undefined;
    const totalBytes = limitedMemory?.limitBytes ?? hostBytes;
    const usedBytes = Math.min(totalBytes, limitedMemory?.usedBytes ?? hostBytes - freemem());
    const { rss, heapUsed } = process.memoryUsage();
    const eventLoopDelayMs = Number.isNaN(eventLoopDelay.mean)
      ? 0
      : Math.max(0, eventLoopDelay.mean / 1e6 - resolutionMs);
    eventLoopDelay.reset();
    return {
      cpu: {
        usagePercent: usagePercentBetween(previous, now),
        cores: now.cores,
        loadAverage: loadavg(),
        source: now.source,
      },
      memory: {
        totalBytes,
        usedBytes,
        freeBytes: totalBytes - usedBytes,
        usagePercent: percent(usedBytes, totalBytes),
        source: limitedMemory?.source ?? 'host',
      },
      process: {
        rssBytes: rss,
        heapUsedBytes: heapUsed,
        eventLoopDelayMs: Math.round(eventLoopDelayMs * 100) / 100,
      },
    };
  }
  return { sample, close: () => void eventLoopDelay.disable() };
}

/** `value` as a percentage of `total`, with two decimal places. */
export const percent = (value: number, total: number): number =>
  total > 0 ? Math.min(100, Math.round((value / total) * 10_000) / 100) : 0;

/** Microseconds used and microseconds available since an arbitrary start. */
type CpuTimes = {
  at: number;
  source: CgroupCpu['source'] | 'host';
  cores: number;
  busyMicroseconds: number;
  availableMicroseconds: number;
};

async function readCpuTimes(root: string | undefined): Promise<CpuTimes> {
  const { cpu } = await readCgroup(root);
  const at = performance.now();
  if (cpu && cpu.cores < availableParallelism())
    return {
      at,
      source: cpu.source,
      cores: cpu.cores,
      busyMicroseconds: cpu.usedMicroseconds,
      availableMicroseconds: at * 1000 * cpu.cores,
    };
  const times = cpus().map((core) => core.times);
  const availableMicroseconds =
    times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0) *
    1000;
  return {
    at,
    source: 'host',
    cores: availableParallelism(),
    busyMicroseconds: availableMicroseconds - times.reduce((sum, { idle }) => sum + idle, 0) * 1000,
    availableMicroseconds,
  };
}

const usagePercentBetween = (previous: CpuTimes, now: CpuTimes) =>
  previous.source === now.source && previous.cores === now.cores
    ? percent(
        Math.max(0, now.busyMicroseconds - previous.busyMicroseconds),
        now.availableMicroseconds - previous.availableMicroseconds,
      )
    : 0;
