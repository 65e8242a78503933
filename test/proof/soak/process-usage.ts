import { readdirSync, readlinkSync } from 'node:fs';
import { cpuMsOf } from '../../bench/load.ts';
import type { RunningServer } from '../../support/process.ts';
import { type Inspector, openInspector } from '../inspector.ts';

/** The resources of a process after garbage collection. */
export type ProcessUsage = {
  heapMb: number;
  externalMb: number;
  rssMb: number;
  files: number;
  sockets: number;
  delayP99Ms: number;
  cpuMs: number;
};

const megabyte = 1_048_576;
const startDelayMonitor = `globalThis.watchedDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 }); watchedDelay.enable()`;
const readDelay = 'JSON.stringify(watchedDelay.percentile(99) / 1e6)';
const readMemory = 'JSON.stringify(process.memoryUsage())';
// Garbage collection for the measurement blocks the event loop; the reset removes that delay.
const resetDelay = 'watchedDelay.reset()';

/** Measures a process that was started with `--inspect`. Needs /proc, so Linux only. */
export async function watchProcess({
  process: child,
  output,
}: RunningServer): Promise<{ readUsage(): Promise<ProcessUsage> }> {
  const pid = child.pid ?? 0;
  await withInspector(output(), ({ evaluate }) => evaluate(startDelayMonitor));
  return {
    readUsage: () =>
      withInspector(output(), async ({ evaluate, collectGarbage }) => {
        const delayP99Ms: number = await evaluate(readDelay);
        await collectGarbage();
        const { heapUsed, external, rss }: NodeJS.MemoryUsage = await evaluate(readMemory);
        await evaluate(resetDelay);
        const descriptors = openDescriptors(pid);
        const sockets = descriptors.filter((target) => target.startsWith('socket:')).length;
        // One of the sockets is the connection of this inspector.
        return {
          heapMb: heapUsed / megabyte,
          externalMb: external / megabyte,
          rssMb: rss / megabyte,
          files: descriptors.length - sockets,
          sockets: sockets - 1,
          delayP99Ms,
          cpuMs: cpuMsOf(pid),
        };
      }),
  };
}

/** Collects garbage in a process that was started with `--inspect`. */
export const collectGarbage = (output: string): Promise<void> =>
  withInspector(output, (inspector) => inspector.collectGarbage());

/** Connects only for one measurement, because a permanent inspector session keeps objects alive. */
async function withInspector<T>(
  output: string,
  use: (inspector: Inspector) => Promise<T>,
): Promise<T> {
  const inspector = await openInspector(output);
  try {
    return await use(inspector);
  } finally {
    inspector.close();
  }
}

function openDescriptors(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      // The descriptor was closed after the directory was listed.
      return [];
    }
  });
}
