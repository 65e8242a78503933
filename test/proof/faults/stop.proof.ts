import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { type Running, start } from '../../support/process.ts';
import { canReach } from '../fuzz/reach.ts';
import { type Attempt, type Finding, none, type Proof } from '../proof.ts';
import { type Kind, openPlace, type Place, serverUrl } from './place.ts';
import { steadyTraffic } from './stop/steady-traffic.ts';
import { type Trickled, trickleUpload } from './stop/trickle.ts';

type Program = { label: string; kind: Kind; workers: number };

const programs: Program[] = [
  { label: 'embedded', kind: 'embedded', workers: 1 },
  { label: 'Postgres', kind: 'postgres', workers: 1 },
  { label: 'Postgres, two workers', kind: 'postgres', workers: 2 },
];
// Who reads /readyz turns away within this time; until the port is closed after a second,
// everything that comes is answered.
const noticedMs = 500;
const megabyte = 1024 * 1024;

export const proof: Proof = {
  claim:
    'SIGTERM at 200 requests a second with uploads in flight loses nothing that was accepted, and the program ends with 0 within ten seconds',
  async attempt(attempt) {
    const findings: Finding[] = [];
    const hasPostgres = await canReach(serverUrl);
    for (const program of attempt.quick ? programs.slice(2) : programs) {
      if (program.kind === 'postgres' && !hasPostgres)
        findings.push({ figure: program.label, leftOut: 'no Postgres can be reached' });
      else findings.push(...(await stopUnderLoad(program, attempt)));
    }
    return findings;
  },
};

async function stopUnderLoad(
  { label, kind, workers }: Program,
  { quick, say }: Attempt,
): Promise<Finding[]> {
  const place = await openPlace(kind);
  let server: Running | undefined;
  try {
    server = await start({ ...place.settings, WORKERS: String(workers) });
    say(`${label}: started`);
    const [organizationKey = ''] = /sk_svc_um_\w+/.exec(server.output()) ?? [];
    const [, userKey = ''] = /admin .* key (sk_svc_\w+)/.exec(server.output()) ?? [];
    const [, files = ''] =
      /(http\S+\/api\/assistant-files\/\S+\/files)/.exec(server.output()) ?? [];
    const traffic = steadyTraffic(server.address, organizationKey);
    await pause(quick ? 1_500 : 4_000);
    // The one comes to its end in time, the other never would.
    const uploads = [
      trickleUpload(files, userKey, {
        name: 'in-time.txt',
        bytes: 4 * megabyte,
        ms: quick ? 2_500 : 5_000,
      }),
    ];
    if (!quick)
      uploads.push(
        trickleUpload(files, userKey, { name: 'endless.txt', bytes: 20 * megabyte, ms: 60_000 }),
      );
    await pause(quick ? 500 : 2_000);
    const perSecond = traffic.rate(quick ? 0.5 : 2);

    const signalAt = performance.now();
    server.process.kill('SIGTERM');
    const ready = statesUntilGone(server.address);
    const code = await server.ended;
    const stopMs = performance.now() - signalAt;
    await traffic.end();
    const trickled = await Promise.all(uploads);
    const states = await ready;

    const { sent } = traffic;
    const inTime = sent.filter(({ sentAt }) => sentAt < signalAt + noticedMs);
    const late = sent.filter(
      ({ sentAt, status }) => sentAt >= signalAt + noticedMs && status !== undefined,
    );
    const acknowledged = sent.filter(({ email, status }) => email && status === 200);
    const lost = await place.look(async ({ prisma }) => {
      const rows = await prisma.user.findMany({
        where: { email: { startsWith: 'steady-' } },
        select: { email: true },
      });
      const there = new Set(rows.map(({ email }) => email));
      return acknowledged.filter(({ email = '' }) => !there.has(email)).length;
    });
    const broken = sent.filter(({ status, refused }) => status === undefined && !refused);
    say(
      `${label}: ${Math.round(perSecond)} a second answered before, ${sent.length} sent, ${acknowledged.length} writes acknowledged, ${sent.filter(({ refused }) => refused).length} refused after the port was closed`,
    );
    say(
      `${label}: ${broken.length} connections broke, ${broken.map(({ fault, sentAt }) => `${fault} ${Math.round(sentAt - signalAt)} ms`).slice(0, 5)}`,
    );
    say(
      `${label}: uploads ${trickled.map(({ name, status, fault }) => `${name} ${status ?? fault}`).join(', ')}; exit ${code} after ${Math.round(stopMs)} ms`,
    );
    // Briefly is for a machine that has other things to do.
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
      none(`${label}: acknowledged writes that are gone, of ${acknowledged.length}`, lost),
      none(
        `${label}: requests without an answer, of ${inTime.length} sent until half a second after SIGTERM`,
        inTime.filter(({ status }) => !status).length,
      ),
      none(`${label}: answers of 5xx`, sent.filter(({ status = 0 }) => status >= 500).length),
      none(
        `${label}: answers that keep their connection half a second after SIGTERM, of ${late.length}`,
        late.filter(({ closes }) => !closes).length,
      ),
      none(
        `${label}: answers of /readyz that say ready then`,
        states.filter(({ at, status }) => at > signalAt + noticedMs && status === 200).length,
      ),
      none(
        `${label}: uploads that were not answered in time though they could be`,
        trickled.filter(({ name, status }) => name === 'in-time.txt' && status !== 200).length,
      ),
      none(
        `${label}: files half there, of ${trickled.length} uploads`,
        await halfFiles(place, trickled),
      ),
      { figure: `${label}: exit code`, value: code ?? -1, unit: '', goal: '0', held: code === 0 },
      atMost(10, { figure: `${label}: from SIGTERM to the end`, value: stopMs / 1000, unit: 's' }),
    ];
  } finally {
    server?.process.kill('SIGKILL');
    await server?.ended;
    await place.close();
  }
}

/** What balancers are told until nobody answers. */
async function statesUntilGone(address: string): Promise<{ at: number; status: number }[]> {
  const states: { at: number; status: number }[] = [];
  for (;;) {
    const at = performance.now();
    const answer = await fetch(`${address}/readyz`, { headers: { connection: 'close' } }).catch(
      () => undefined,
    );
    if (!answer) return states;
    states.push({ at, status: answer.status });
    await pause(50);
  }
}

/** Answered is whole, and everything else left neither a row nor an object nor a part of one. */
async function halfFiles({ directory, look }: Place, trickled: Trickled[]): Promise<number> {
  const storage = createDiskStorage({ directory: join(directory, 'files'), alone: false });
  const stored = new Set<string>();
  for await (const { key } of storage.list()) stored.add(key);
  const incoming = join(directory, 'files', 'incoming');
  const parts = existsSync(incoming) ? readdirSync(incoming).length : 0;
  const rows = await look(({ prisma }) =>
    prisma.assistantFile.findMany({ select: { originalName: true, storageKey: true, hash: true } }),
  );
  const wrong = trickled.filter(({ name, status, hash }) => {
    const row = rows.find(({ originalName }) => originalName === name);
    return status === 200 ? row?.hash !== hash || !stored.has(row.storageKey) : row !== undefined;
  });
  const keys = new Set(rows.map(({ storageKey }) => storageKey));
  return wrong.length + parts + [...stored].filter((key) => !keys.has(key)).length;
}
