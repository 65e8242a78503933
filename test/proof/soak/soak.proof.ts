import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, atMost, type Goal } from '../../bench/goals.ts';
import { mulberry32 } from '../../support/mulberry32.ts';
import { exactlyZero, type Proof, type ProofContext } from '../proof.ts';
import { createCaller } from './caller.ts';
import { heavyTraffic, uploadedNames } from './heavy-traffic.ts';
import { lightTraffic } from './light-traffic.ts';
import { type ProcessUsage, watchProcess } from './process-usage.ts';
import { repeatSteadily } from './repeat-steadily.ts';
import { robustSlope } from './robust-slope.ts';
import { poolSize, startThreeServers } from './three-servers.ts';
import { TrafficRecord } from './traffic-record.ts';

/** The duration in minutes; SOAK_MINUTES=1 is for a short trial. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
/** A factor for the load; SOAK_PACE=0.4 is for a busy machine. */
const pace = Number(process.env['SOAK_PACE'] ?? 1);
const sampleEveryMs = Math.min(30, (minutes * 60) / 12) * 1_000;

const names = ['api', 'vault', 'vector-db'] as const;
type ProcessName = (typeof names)[number];
type SoakSample = {
  minute: number;
  usage: Record<ProcessName, ProcessUsage>;
  calls: number;
  p50Ms: number;
  p99Ms: number;
  load: number;
} & StoredAmounts;
type StoredAmounts = Awaited<
  ReturnType<Awaited<ReturnType<typeof startThreeServers>>['readStock']>
>;

/** At these rates a process needs about a week to use up the memory of a small machine. */
const slopeMax = { heapMbAMinute: 0.2, rssMbAMinute: 1, openAMinute: 0.2 };

export const proof: Proof = {
  claim:
    'Under mixed load the use of memory, sockets and files does not grow, and deleted data is removed',
  long: true,
  async measure(context) {
    const servers = await startThreeServers();
    try {
      const before = await waitUntilStable(servers.readStock);
      const record = new TrafficRecord();
      const samples = await soak(servers, record, context);
      await removeRemainingFiles(servers);
      const after = await waitUntilStable(servers.readStock, before.passages);
      for (const [kind, count] of record.counts) context.log(`${kind}: ${count}`);
      for (const [what, count] of record.unexpected) context.log(`unexpected: ${what} (${count})`);
      const errors = names.flatMap(
        (name) => servers.components[name].output().match(/"level":"(error|fatal)".*/g) ?? [],
      );
      for (const line of errors.slice(0, 10)) context.log(line.slice(0, 600));
      console.log(`\n${sampleTable(samples)}\n`);
      return [
        atLeast(Math.round(minutes * 60 * 15 * pace), {
          figure: `calls in ${minutes} minutes`,
          value: record.answerCount,
          unit: '',
        }),
        exactlyZero('answers of 5xx', record.serverErrorCount),
        exactlyZero('kinds of unexpected answers', record.unexpected.length),
        exactlyZero('errors in the log', errors.length),
        exactlyZero('growth of stored passages', after.passages - before.passages),
        atMost(0.5, {
          figure: 'growth of stored files',
          value: after.filesMb - before.filesMb,
          unit: 'MB',
        }),
        atMost(poolSize, {
          figure: 'connections to the database',
          value: Math.max(...samples.map(({ connections }) => connections)),
          unit: '',
        }),
        ...names.flatMap((name) => slopesOf(name, samples)),
      ];
    } finally {
      await servers.stop();
    }
  },
};

async function soak(
  { components, partner, readStock }: Awaited<ReturnType<typeof startThreeServers>>,
  record: TrafficRecord,
  { log, seed }: ProofContext,
): Promise<SoakSample[]> {
  const origin = components.api.address;
  const call = createCaller(origin, record);
  const watched = {
    api: await watchProcess(components.api),
    vault: await watchProcess(components.vault),
    'vector-db': await watchProcess(components['vector-db']),
  };
  const activities = [
    ...lightTraffic(call, partner),
    ...heavyTraffic({ call, origin, partner, random: mulberry32(seed) }),
  ];
  const stopping = new AbortController();
  const traffic = Promise.all(
    activities.map((activity) =>
      repeatSteadily({ ...activity, everyMs: activity.everyMs / pace }, record, stopping.signal),
    ),
  );
  const samples: SoakSample[] = [];
  const startedAt = Date.now();
  for (let number = 1; number * sampleEveryMs <= minutes * 60_000; number += 1) {
    await sleep(Math.max(0, startedAt + number * sampleEveryMs - Date.now()));
    const interval = record.takeInterval();
    const usage = {
      api: await watched.api.readUsage(),
      vault: await watched.vault.readUsage(),
      'vector-db': await watched['vector-db'].readUsage(),
    };
    samples.push({
      minute: (number * sampleEveryMs) / 60_000,
      usage,
      ...interval,
      load: loadavg()[0] ?? 0,
      ...(await readStock()),
    });
    log(formatRow(samples.at(-1)));
  }
  stopping.abort();
  await traffic;
  if (record.skippedCount > 0)
    log(
      `${record.skippedCount} activities were skipped because too many of their kind were in progress`,
    );
  return samples;
}

/** Removes uploads whose acknowledgement was lost, so that only leaked data remains. */
async function removeRemainingFiles({
  components,
  partner,
}: Awaited<ReturnType<typeof startThreeServers>>): Promise<void> {
  const headers = { authorization: `Bearer ${partner.users[0]?.userKey}` };
  const path = `${components.api.address}/api/assistant-files/v1/assistants/${partner.assistants[0]?.id}/files`;
  const { files }: { files: { id: string; originalName: string }[] } = await (
    await fetch(path, { headers })
  ).json();
  for (const { id, originalName } of files)
    if (uploadedNames.has(originalName))
      await fetch(`${path}/${id}`, { method: 'DELETE', headers });
}

function slopesOf(name: ProcessName, samples: readonly SoakSample[]): Goal[] {
  const secondHalf = samples.slice(Math.floor(samples.length / 2));
  const slope = (value: (usage: ProcessUsage) => number) =>
    robustSlope(secondHalf.map(({ minute, usage }) => ({ minute, value: value(usage[name]) })));
  return [
    atMost(slopeMax.heapMbAMinute, {
      figure: `${name}: growth of the heap`,
      value: slope(({ heapMb }) => heapMb),
      unit: 'MB a minute',
    }),
    atMost(slopeMax.rssMbAMinute, {
      figure: `${name}: growth of resident memory`,
      value: slope(({ rssMb }) => rssMb),
      unit: 'MB a minute',
    }),
    atMost(slopeMax.openAMinute, {
      figure: `${name}: growth of open files`,
      value: slope(({ files }) => files),
      unit: 'a minute',
    }),
    atMost(slopeMax.openAMinute, {
      figure: `${name}: growth of open sockets`,
      value: slope(({ sockets }) => sockets),
      unit: 'a minute',
    }),
  ];
}

/**
 * Waits until background work no longer changes the stored data and at most `passagesMax` passages
 * remain.
 */
async function waitUntilStable(
  readStock: () => Promise<StoredAmounts>,
  passagesMax = Number.POSITIVE_INFINITY,
): Promise<StoredAmounts> {
  let previous = await readStock();
  for (let tries = 0; tries < 30; tries += 1) {
    await sleep(2_000);
    const current = await readStock();
    if (
      current.passages === previous.passages &&
      current.filesMb === previous.filesMb &&
      current.passages > 0 &&
      current.passages <= passagesMax
    )
      return current;
    previous = current;
  }
  return previous;
}

const columnNames = [
  'minute',
  ...names.flatMap((name) => [
    `${name} heap`,
    'rss',
    'external',
    'fds',
    'sockets',
    'delay p99',
    'CPU s',
  ]),
  'calls',
  'p50',
  'p99',
  'machine load',
];
const formatRow = (sample: SoakSample | undefined) =>
  sample ? `| ${formatCells(sample).join(' | ')} |` : '';
const sampleTable = (samples: readonly SoakSample[]) =>
  [
    'Memory and sizes in MB, times in ms',
    `| ${[...columnNames, 'connections', 'database', 'files', 'vectors', 'passages'].join(' | ')} |`,
    `|${'---|'.repeat(columnNames.length + 6)}`,
    ...samples.map(formatRow),
  ].join('\n');

function formatCells({
  minute,
  usage,
  calls,
  p50Ms,
  p99Ms,
  load,
  connections,
  databaseMb,
  filesMb,
  vectorsMb,
  passages,
}: SoakSample): string[] {
  const cells = names.flatMap((name) => {
    const { heapMb, rssMb, externalMb, files, sockets, delayP99Ms, cpuMs } = usage[name];
    return [
      heapMb.toFixed(1),
      rssMb.toFixed(0),
      externalMb.toFixed(1),
      String(files),
      String(sockets),
      delayP99Ms.toFixed(0),
      (cpuMs / 1_000).toFixed(1),
    ];
  });
  const sizes = [databaseMb, filesMb, vectorsMb].map((size) => size.toFixed(1));
  return [
    minute.toFixed(1),
    ...cells,
    String(calls),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    load.toFixed(1),
    String(connections),
    ...sizes,
    String(passages),
  ];
}
