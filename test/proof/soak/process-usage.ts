import { readdirSync, readlinkSync } from 'node:fs';
import { cpuMsOf } from '../../bench/load.ts';
import type { RunningServer } from '../../support/process.ts';

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
  const [address = ''] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(output()) ?? [];
  const pid = child.pid ?? 0;
  await withInspector(
    address,
    async (sendCommand) =>
      void (await sendCommand('Runtime.evaluate', { expression: startDelayMonitor })),
  );
  return {
    readUsage: () =>
      withInspector(address, async (sendCommand) => {
        const evaluate = async (expression: string) =>
          JSON.parse(
            (await sendCommand('Runtime.evaluate', { expression })).result?.result?.value ?? 'null',
          );
        const delayP99Ms: number = await evaluate(readDelay);
        // The second collection frees what the finalizers of the first released.
        for (let round = 0; round < 2; round += 1) await sendCommand('HeapProfiler.collectGarbage');
        const { heapUsed, external, rss }: NodeJS.MemoryUsage = await evaluate(readMemory);
        await sendCommand('Runtime.evaluate', { expression: resetDelay });
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

type InspectorAnswer = { id: number; result?: { result?: { value?: string } } };
type InspectorCommand = (method: string, params?: object) => Promise<InspectorAnswer>;

/** Connects only for one measurement, because a permanent inspector session keeps objects alive. */
async function withInspector<T>(
  address: string,
  use: (sendCommand: InspectorCommand) => Promise<T>,
): Promise<T> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), {
      once: true,
    });
  });
  const pendingCommands = new Map<number, (answer: InspectorAnswer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: InspectorAnswer = JSON.parse(String(data));
    pendingCommands.get(answer.id)?.(answer);
    pendingCommands.delete(answer.id);
  });
  let lastId = 0;
  try {
    return await use((method, params = {}) => {
      lastId += 1;
      const id = lastId;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve) => pendingCommands.set(id, resolve));
    });
  } finally {
    socket.close();
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
