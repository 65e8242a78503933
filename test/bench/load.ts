import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import type { Server } from './servers.ts';

/**
 * What one server did in one round. `cpuMicros` is what its own process used for a request,
 * Postgres and the load left out.
 */
export type Round = { perSecond: number; p50Ms: number; p99Ms: number; cpuMicros: number };

/**
 * Paths in turn. A body is sent as JSON; `%n` in it is another number each time, `%t` a time fifty
 * years from now, later by and by.
 */
export type Asked = {
  key: string;
  paths: string[];
  sent?: { method: 'POST' | 'PATCH'; body: string };
};
type Load = Asked & { server: Server; seconds: number };
type Answered = { requests: number; seconds: number; p50Ms: number; p99Ms: number; failed: number };

const fiftyYearsMs = 50 * 365.25 * 24 * 60 * 60 * 1000;
export const connections = 16;
export const generator = hasWrk() ? 'wrk' : 'autocannon';

/** Closed loop: each connection asks again as soon as it has its answer. */
export async function load({ server, seconds, ...asked }: Load): Promise<Round> {
  const cpuBefore = cpuMsOf(server.pid);
  const answered = await (generator === 'wrk' ? byWrk : byAutocannon)(
    server.origin,
    asked,
    seconds,
  );
  const cpuAfter = cpuMsOf(server.pid);
  if (answered.failed > 0)
    throw new Error(`${answered.failed} of ${answered.requests} requests failed under load`);
  const cpuMicros = ((cpuAfter - cpuBefore) * 1000) / answered.requests;
  return {
    perSecond: answered.requests / answered.seconds,
    p50Ms: answered.p50Ms,
    p99Ms: answered.p99Ms,
    cpuMicros,
  };
}

async function byWrk(
  origin: string,
  { key, paths, sent }: Asked,
  seconds: number,
): Promise<Answered> {
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
  const flags = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    // A server that counts a million rows may take its time.
    '--timeout',
    '30s',
    '-s',
    script,
    '-H',
    `Authorization: Bearer ${key}`,
    origin,
    '--',
    sent?.method ?? 'GET',
    sent?.body ?? '',
    ...paths,
  ];
  const { stdout } = await promisify(execFile)('wrk', flags);
  const answered: Answered = JSON.parse(stdout.slice(stdout.indexOf('{')));
  return answered;
}

async function byAutocannon(
  origin: string,
  { key, paths, sent }: Asked,
  seconds: number,
): Promise<Answered> {
  const startedAt = Date.now();
  let count = 0;
  // One list for all connections, as with wrk: each connection with a list of its own would write
  // to the same path as the others at the same time.
  const next = (request: object) => {
    const path = paths[count % paths.length];
    count += 1;
    if (!sent) return { ...request, path };
    return {
      ...request,
      path,
      body: vary(sent.body, startedAt, count),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    };
  };
  const requests = [{ method: sent?.method ?? ('GET' as const), setupRequest: next }];
  const { latency, ...result } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests,
    headers: { authorization: `Bearer ${key}` },
  });
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    failed: result.errors + result.non2xx,
  };
}

/** The body of a load's request: what is to be another each time is. */
export const vary = (body: string, startedAtMs: number, count: number): string =>
  body
    .replace('%n', String(Math.round(startedAtMs * 1_000 + count)))
    .replace('%t', new Date(startedAtMs + fiftyYearsMs + count / 10).toISOString());

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // wrk -v prints its version and exits with 1.
    return error instanceof Error && 'status' in error && error.status === 1;
  }
}

// Linux counts the time of a process in ticks of 10 ms; elsewhere the column has no figure.
export function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
