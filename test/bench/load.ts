import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type LoadResult, runClosedLoop } from './closed-loop.ts';
import type { Server } from './servers.ts';

/**
 * The figures of one server in one round. `cpuMicros` is the CPU time of its process per request,
 * without Postgres and the load generator.
 */
export type RoundFigures = { perSecond: number; p50Ms: number; p99Ms: number; cpuMicros: number };

/**
 * The load: the paths are requested in turn. A body is sent as JSON; `%n` in it is replaced by a
 * different number in each request, and `%t` by an increasing time in fifty years.
 */
export type LoadRequest = {
  key: string;
  paths: string[];
  payload?: { method: 'POST' | 'PATCH'; body: string };
};
type LoadOptions = LoadRequest & { server: Server; seconds: number };

const fiftyYearsMs = 50 * 365.25 * 24 * 60 * 60 * 1000;
export const connections = 16;
export const generator = isWrkInstalled() ? 'wrk' : 'closed-loop.ts';

/** Runs a closed loop: each connection sends the next request as soon as it has its answer. */
export async function load({ server, seconds, ...request }: LoadOptions): Promise<RoundFigures> {
  const cpuBefore = cpuMsOf(server.pid);
  const result = await (generator === 'wrk' ? runWrk : runInProcess)(
    server.origin,
    request,
    seconds,
  );
  const cpuAfter = cpuMsOf(server.pid);
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${result.requests} requests failed under load`);
  const cpuMicros = ((cpuAfter - cpuBefore) * 1000) / result.requests;
  return {
    perSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicros,
  };
}

async function runWrk(
  origin: string,
  { key, paths, payload }: LoadRequest,
  seconds: number,
): Promise<LoadResult> {
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
  const flags = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    // A server that counts a million rows may need long.
    '--timeout',
    '30s',
    '-s',
    script,
    '-H',
    `Authorization: Bearer ${key}`,
    origin,
    '--',
    payload?.method ?? 'GET',
    payload?.body ?? '',
    ...paths,
  ];
  const { stdout } = await promisify(execFile)('wrk', flags);
  const result: LoadResult = JSON.parse(stdout.slice(stdout.indexOf('{')));
  return result;
}

async function runInProcess(
  origin: string,
  { key, paths, payload }: LoadRequest,
  seconds: number,
): Promise<LoadResult> {
  const startedAt = Date.now();
  let count = 0;
  const authorization = `authorization: Bearer ${key}\r\n`;
  // All connections share one list of paths, as with wrk. If each connection had its own list, they
  // would write to the same path at the same time.
  const nextRequest = () => {
    const path = paths[count % paths.length];
    count += 1;
    if (!payload) return `GET ${path} HTTP/1.1\r\nhost: bench\r\n${authorization}\r\n`;
    const body = vary(payload.body, startedAt, count);
    const type = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return `${payload.method} ${path} HTTP/1.1\r\nhost: bench\r\n${authorization}${type}\r\n${body}`;
  };
  return runClosedLoop({ origin, connections, seconds, nextRequest });
}

/** Replaces the placeholders in the body of a request. */
export const vary = (body: string, startedAtMs: number, count: number): string =>
  body
    .replace('%n', String(Math.round(startedAtMs * 1_000 + count)))
    .replace('%t', new Date(startedAtMs + fiftyYearsMs + count / 10).toISOString());

function isWrkInstalled(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // `wrk -v` prints its version and exits with 1.
    return error instanceof Error && 'status' in error && error.status === 1;
  }
}

// Linux counts CPU time in ticks of 10 ms. On other systems there is no figure.
export function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
