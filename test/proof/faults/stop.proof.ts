import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { type RunningServer, start } from '../../support/process.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';
import {
  type DatabaseKind,
  type DataLocation,
  openDataLocation,
  serverUrl,
} from './data-location.ts';
import { type SlowUpload, uploadSlowly } from './stop/slow-upload.ts';
import { steadyTraffic } from './stop/steady-traffic.ts';

type ServerSetup = { label: string; kind: DatabaseKind; workers: number };

const setups: ServerSetup[] = [
  { label: 'embedded', kind: 'embedded', workers: 1 },
  { label: 'Postgres', kind: 'postgres', workers: 1 },
  { label: 'Postgres, two workers', kind: 'postgres', workers: 2 },
];
// A load balancer that reads /readyz stops sending within 500 ms. The server closes its port one
// second after SIGTERM, and answers every request until then.
const noticedMs = 500;
const megabyte = 1024 * 1024;

export const proof: Proof = {
  claim:
    'SIGTERM at 200 requests a second with uploads in progress loses no accepted request, and the server exits with 0 within ten seconds',
  async measure(context) {
    const findings: ProofFinding[] = [];
    const hasPostgres = await isPostgresReachable(serverUrl);
    for (const setup of context.quick ? setups.slice(2) : setups) {
      if (setup.kind === 'postgres' && !hasPostgres)
        findings.push({ figure: setup.label, skipped: 'no Postgres is reachable' });
      else findings.push(...(await stopUnderLoad(setup, context)));
    }
    return findings;
  },
};

async function stopUnderLoad(
  { label, kind, workers }: ServerSetup,
  { quick, log }: ProofContext,
): Promise<ProofFinding[]> {
  const location = await openDataLocation(kind);
  let server: RunningServer | undefined;
  try {
    server = await start({ ...location.settings, WORKERS: String(workers) });
    log(`${label}: started`);
    const [organizationKey = ''] = /sk_svc_um_\w+/.exec(server.output()) ?? [];
    const [, userKey = ''] = /admin .* key (sk_svc_\w+)/.exec(server.output()) ?? [];
    const [, files = ''] =
      /(http\S+\/api\/assistant-files\/\S+\/files)/.exec(server.output()) ?? [];
    const traffic = steadyTraffic(server.address, organizationKey);
    await pause(quick ? 1_500 : 4_000);
    // The first upload can finish before the server exits; the second would take a minute.
    const uploads = [
      uploadSlowly(files, userKey, {
        name: 'in-time.txt',
        bytes: 4 * megabyte,
        ms: quick ? 2_500 : 5_000,
      }),
    ];
    if (!quick)
      uploads.push(
        uploadSlowly(files, userKey, { name: 'endless.txt', bytes: 20 * megabyte, ms: 60_000 }),
      );
    await pause(quick ? 500 : 2_000);
    const perSecond = traffic.rate(quick ? 0.5 : 2);

    const signalAt = performance.now();
    server.process.kill('SIGTERM');
    const ready = readyStatusesUntilExit(server.address);
    const code = await server.ended;
    const stopMs = performance.now() - signalAt;
    await traffic.end();
    const slowUploads = await Promise.all(uploads);
    const readyStatuses = await ready;

    const { sent } = traffic;
    const inTime = sent.filter(({ sentAt }) => sentAt < signalAt + noticedMs);
    const late = sent.filter(
      ({ sentAt, status }) => sentAt >= signalAt + noticedMs && status !== undefined,
    );
    const acknowledged = sent.filter(({ email, status }) => email && status === 200);
    const lost = await location.withDatabase(async ({ prisma }) => {
      const rows = await prisma.user.findMany({
        where: { email: { startsWith: 'steady-' } },
        select: { email: true },
      });
      const there = new Set(rows.map(({ email }) => email));
      return acknowledged.filter(({ email = '' }) => !there.has(email)).length;
    });
    const broken = sent.filter(({ status, refused }) => status === undefined && !refused);
    log(
      `${label}: ${Math.round(perSecond)} answers a second before SIGTERM, ${sent.length} sent, ${acknowledged.length} writes acknowledged, ${sent.filter(({ refused }) => refused).length} refused after the port was closed`,
    );
    log(
      `${label}: ${broken.length} connections broke, ${broken.map(({ fault, sentAt }) => `${fault} ${Math.round(sentAt - signalAt)} ms`).slice(0, 5)}`,
    );
    log(
      `${label}: uploads ${slowUploads.map(({ name, status, fault }) => `${name} ${status ?? fault}`).join(', ')}; exit ${code} after ${Math.round(stopMs)} ms`,
    );
    // The quick version runs on busy machines, so it does not check the rate.
    const load = quick
      ? []
      : [
          atLeast(190, {
            figure: `${label}: answers a second before SIGTERM`,
            value: perSecond,
            unit: '',
          }),
        ];
    return [
      ...load,
      exactlyZero(`${label}: lost writes, of ${acknowledged.length} acknowledged`, lost),
      exactlyZero(
        `${label}: requests without an answer, of ${inTime.length} sent until half a second after SIGTERM`,
        inTime.filter(({ status }) => !status).length,
      ),
      exactlyZero(
        `${label}: answers of 5xx`,
        sent.filter(({ status = 0 }) => status >= 500).length,
      ),
      exactlyZero(
        `${label}: answers later than half a second after SIGTERM that keep the connection open, of ${late.length}`,
        late.filter(({ closes }) => !closes).length,
      ),
      exactlyZero(
        `${label}: answers of 200 from /readyz later than half a second after SIGTERM`,
        readyStatuses.filter(({ at, status }) => at > signalAt + noticedMs && status === 200)
          .length,
      ),
      exactlyZero(
        `${label}: unanswered uploads that could finish in time`,
        slowUploads.filter(({ name, status }) => name === 'in-time.txt' && status !== 200).length,
      ),
      exactlyZero(
        `${label}: incomplete files, of ${slowUploads.length} uploads`,
        await countIncompleteFiles(location, slowUploads),
      ),
      { figure: `${label}: exit code`, value: code ?? -1, unit: '', goal: '0', held: code === 0 },
      atMost(10, { figure: `${label}: from SIGTERM to the exit`, value: stopMs / 1000, unit: 's' }),
    ];
  } finally {
    server?.process.kill('SIGKILL');
    await server?.ended;
    await location.close();
  }
}

/** Polls /readyz, as load balancers do, until the server no longer answers. */
async function readyStatusesUntilExit(address: string): Promise<{ at: number; status: number }[]> {
  const readyStatuses: { at: number; status: number }[] = [];
  for (;;) {
    const at = performance.now();
    const answer = await fetch(`${address}/readyz`, { headers: { connection: 'close' } }).catch(
      () => undefined,
    );
    if (!answer) return readyStatuses;
    readyStatuses.push({ at, status: answer.status });
    await pause(50);
  }
}

/**
 * Counts uploads that were acknowledged without complete content, and unacknowledged ones that left
 * a row, a stored object or a part of one.
 */
async function countIncompleteFiles(
  { directory, withDatabase }: DataLocation,
  slowUploads: SlowUpload[],
): Promise<number> {
  const storage = createDiskStorage({ directory: join(directory, 'files'), isSoleUser: false });
  const stored = new Set<string>();
  for await (const { key } of storage.list()) stored.add(key);
  const incoming = join(directory, 'files', 'incoming');
  const parts = existsSync(incoming) ? readdirSync(incoming).length : 0;
  const rows = await withDatabase(({ prisma }) =>
    prisma.assistantFile.findMany({ select: { originalName: true, storageKey: true, hash: true } }),
  );
  const wrong = slowUploads.filter(({ name, status, hash }) => {
    const row = rows.find(({ originalName }) => originalName === name);
    return status === 200 ? row?.hash !== hash || !stored.has(row.storageKey) : row !== undefined;
  });
  const keys = new Set(rows.map(({ storageKey }) => storageKey));
  return wrong.length + parts + [...stored].filter((key) => !keys.has(key)).length;
}
