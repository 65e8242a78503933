import { readdirSync, readlinkSync } from 'node:fs';
import { cpuMsOf } from '../../bench/load.ts';
import type { Running } from '../../support/process.ts';

/** What one process holds at a moment, after everything that nobody holds was thrown away. */
export type Held = {
  heapMb: number;
  externalMb: number;
  rssMb: number;
  files: number;
  sockets: number;
  delayP99Ms: number;
  cpuMs: number;
};

const megabyte = 1_048_576;
const begin = `globalThis.watchedDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 }); watchedDelay.enable()`;
const lookAtDelay = 'JSON.stringify(watchedDelay.percentile(99) / 1e6)';
const lookAtMemory = 'JSON.stringify(process.memoryUsage())';
// The collection itself holds the loop up, and is not the program's.
const forget = 'watchedDelay.reset()';

/** Looks into a process that was started with `--inspect`. Linux only. */
export async function watchProcess({
  process: child,
  output,
}: Running): Promise<{ look(): Promise<Held> }> {
  const [address = ''] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(output()) ?? [];
  const pid = child.pid ?? 0;
  await inspecting(
    address,
    async (ask) => void (await ask('Runtime.evaluate', { expression: begin })),
  );
  return {
    look: () =>
      inspecting(address, async (ask) => {
        const evaluated = async (expression: string) =>
          JSON.parse(
            (await ask('Runtime.evaluate', { expression })).result?.result?.value ?? 'null',
          );
        const delayP99Ms: number = await evaluated(lookAtDelay);
        // What the first leaves to finalizers the second finds.
        for (let round = 0; round < 2; round += 1) await ask('HeapProfiler.collectGarbage');
        const { heapUsed, external, rss }: NodeJS.MemoryUsage = await evaluated(lookAtMemory);
        await ask('Runtime.evaluate', { expression: forget });
        const opened = openedBy(pid);
        const sockets = opened.filter((target) => target.startsWith('socket:')).length;
        // One of the sockets is this inspector's.
        return {
          heapMb: heapUsed / megabyte,
          externalMb: external / megabyte,
          rssMb: rss / megabyte,
          files: opened.length - sockets,
          sockets: sockets - 1,
          delayP99Ms,
          cpuMs: cpuMsOf(pid),
        };
      }),
  };
}

type Answer = { id: number; result?: { result?: { value?: string } } };
type Ask = (method: string, params?: object) => Promise<Answer>;

/** Connected for as long as it takes: an inspector that stays keeps what it was told. */
async function inspecting<T>(address: string, use: (ask: Ask) => Promise<T>): Promise<T> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), {
      once: true,
    });
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let asked = 0;
  try {
    return await use((method, params = {}) => {
      asked += 1;
      const id = asked;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve) => waiting.set(id, resolve));
    });
  } finally {
    socket.close();
  }
}

function openedBy(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      // Closed between the list and the look.
      return [];
    }
  });
}
