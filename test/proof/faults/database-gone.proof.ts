import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { databaseOn } from '../../../src/platform/database/database.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { type OwnPostgres, openOwnPostgres } from '../../support/own-postgres.ts';
import { type RunningServer, start, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { exactlyZero, type Proof, type ProofContext, type ProofFinding } from '../proof.ts';
import { waitUntilStoresAgree } from './compare-stores.ts';
import { generousLimits } from './data-location.ts';
import { type MixedLoad, mixedLoad, readKeys } from './load/mixed-load.ts';
import { createProbes } from './probes.ts';
import { auditDifferences, readTables } from './read-tables.ts';
import { watchProbes } from './watch-probes.ts';

type DatabaseOutage = {
  name: string;
  awayMs: number;
  begin(postgres: OwnPostgres): Promise<void>;
  end(postgres: OwnPostgres): Promise<void>;
};

const outages: DatabaseOutage[] = [
  {
    name: 'killed',
    awayMs: 12_000,
    begin: (postgres) => postgres.stop('immediate'),
    end: (postgres) => postgres.start(),
  },
  {
    name: 'stopped',
    awayMs: 12_000,
    begin: (postgres) => postgres.stop('fast'),
    end: (postgres) => postgres.start(),
  },
  {
    name: 'hanging',
    awayMs: 40_000,
    begin: async (postgres) => postgres.hang(),
    end: async (postgres) => postgres.resume(),
  },
];
const pool = 4;
const limits = { noticedSeconds: 5, answeredSeconds: 20, backSeconds: 5, startedSeconds: 10 };
const startedBeforeMs = 6_000;
const warmUp = { acknowledged: 40, msMax: 30_000 };
const recoveryMsMax = 60_000;

export const proof: Proof = {
  claim:
    'While Postgres is unavailable, every answer is correct or 503 and none is late; service recovers without intervention',
  long: true,
  async measure({ seed, log }) {
    const postgres = await openOwnPostgres();
    if (!postgres)
      return [
        {
          figure: 'outages of Postgres',
          skipped: 'initdb is not installed, or no account can run it',
        },
      ];
    const directory = temporaryDirectory();
    let running: RunningServer | undefined;
    try {
      running = await start({
        ...generousLimits,
        DATA_DIR: directory.path,
        DATABASE_URL: postgres.url,
        DATABASE_POOL: String(pool),
      });
      const keys = await readKeys(running, running.output());
      // A probe that asks about files gets another answer until they are processed.
      await waitUntilStoresAgree(running, directory.path, keys, { orphans: 'allowed' });
      const load = mixedLoad(keys, seed);
      const findings: ProofFinding[] = [];
      for (const outage of outages)
        findings.push(...(await measureOutage(outage, postgres, running, load, log)));
      const stores = await waitUntilStoresAgree(running, directory.path, load.keys, {
        orphans: 'allowed',
      });
      const tables = await compareTables(postgres.url, load);
      running.process.kill('SIGKILL');
      await running.ended;
      const early = await startBeforePostgres(postgres, {
        ...generousLimits,
        DATA_DIR: directory.path,
        DATABASE_URL: postgres.url,
      });
      findings.push(...early.findings);
      running = early.running;
      await load.check(running);
      for (const fault of [...load.faults(), ...stores, ...tables].slice(0, 20))
        log(`FAULT ${fault}`);
      return [
        ...findings,
        atLeast(100, {
          figure: 'acknowledged writes',
          value: load.count('acknowledged'),
          unit: '',
        }),
        exactlyZero(
          'acknowledged writes that were lost, incomplete, duplicated or answered differently',
          load.faults().length,
        ),
        exactlyZero(
          'totals, audit entries or rows that differ from the acknowledged writes',
          tables.length,
        ),
        exactlyZero(
          'unprocessed files, and stored files, rows and passages that disagree',
          stores.length,
        ),
      ];
    } finally {
      running?.process.kill('SIGKILL');
      await running?.ended;
      await postgres.close();
      directory.remove();
    }
  },
};

async function measureOutage(
  { name, awayMs, begin, end }: DatabaseOutage,
  postgres: OwnPostgres,
  running: RunningServer,
  load: MixedLoad,
  log: ProofContext['log'],
): Promise<ProofFinding[]> {
  const probes = await createProbes(running, load.keys);
  const watched = watchProbes(running, probes);
  const stopping = new AbortController();
  const working = load.work(running, stopping.signal);
  const enough = load.count('acknowledged') + warmUp.acknowledged;
  for (
    const endsAt = performance.now() + warmUp.msMax;
    load.count('acknowledged') < enough && performance.now() < endsAt;
  )
    await pause(20);
  const beganAt = performance.now();
  await begin(postgres);
  const outageBeganAt = performance.now();
  await pause(awayMs);
  stopping.abort();
  await end(postgres);
  const outageEndedAt = performance.now();
  const frequentProbes = probes.filter(({ everyMs = 0 }) => everyMs <= 1_000);
  const recoveryTimes = () =>
    frequentProbes.map(({ name: probe }) => watched.firstAfter(outageEndedAt, probe, 'right'));
  while (recoveryTimes().includes(undefined) && performance.now() - outageEndedAt < recoveryMsMax)
    await pause(50);
  await watched.stop();
  await working;
  const connections = await connectionsTo(postgres.url);
  await load.check(running);
  await load.finish(running);

  const faultCounts = new Map<string, number>();
  for (const { name: probe, outcome, answer } of watched.wrong()) {
    const fault = `${probe} ${outcome}: ${answer.replace(/[0-9a-f-]{36}/g, '…')}`;
    faultCounts.set(fault, (faultCounts.get(fault) ?? 0) + 1);
  }
  for (const [fault, times] of faultCounts) log(`${name}: FAULT ${times} times ${fault}`);
  for (const probe of frequentProbes) {
    const late = watched.firstAfter(outageEndedAt, probe.name, 'right') ?? Number.POSITIVE_INFINITY;
    if (late > limits.backSeconds * 1000)
      log(
        `${name}: ${probe.name} recovered after ${Math.round(late)} ms; before the outage it took ${Math.round(watched.medianMs(probe.name, beganAt))} ms`,
      );
  }
  const seconds = (ms: number | undefined) =>
    ms === undefined ? Number.POSITIVE_INFINITY : Math.max(0, ms) / 1000;
  const slowest = watched.slowest(beganAt, outageEndedAt);
  log(`${name}: the slowest probe was ${slowest.name}`);
  const back = Math.max(...recoveryTimes().map(seconds));
  return [
    atMost(limits.noticedSeconds, {
      figure: `${name}: until /readyz answers 503`,
      value: seconds(watched.firstAfter(beganAt, '/readyz', 'unavailable', outageBeganAt)),
      unit: 's',
    }),
    exactlyZero(
      `${name}: of ${watched.results.length} requests, wrong or missing answers`,
      watched.wrong().length,
    ),
    atMost(limits.answeredSeconds, {
      figure: `${name}: the slowest answer during the outage`,
      value: seconds(slowest.ms),
      unit: 's',
    }),
    atMost(limits.backSeconds, {
      figure: `${name}: until every probe succeeds again`,
      value: back,
      unit: 's',
    }),
    atMost(pool, { figure: `${name}: connections after the outage`, value: connections, unit: '' }),
  ];
}

/** Starts the server before Postgres, as happens when a machine boots after a power cut. */
async function startBeforePostgres(
  postgres: OwnPostgres,
  settings: Record<string, string>,
): Promise<{ running: RunningServer; findings: ProofFinding[] }> {
  await postgres.stop('immediate');
  const starting = start(settings);
  const early = await Promise.race([starting, pause(startedBeforeMs)]);
  await postgres.start();
  const outageEndedAt = performance.now();
  const running = await starting;
  const seconds = (performance.now() - outageEndedAt) / 1000;
  const waitingLines = running.output().match(/the database cannot be reached yet/g)?.length ?? 0;
  return {
    running,
    findings: [
      exactlyZero(
        'start before Postgres: starts that reported ready without a database',
        early === undefined ? 0 : 1,
      ),
      atLeast(1, {
        figure: 'start before Postgres: log lines that name the missing database',
        value: waitingLines,
        unit: '',
      }),
      atMost(limits.startedSeconds, {
        figure: 'start before Postgres: until ready, once Postgres accepts connections',
        value: seconds,
        unit: 's',
      }),
    ],
  };
}

async function connectionsTo(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query("select from pg_stat_activity where application_name = 'atrium'"))
      .rows.length;
  } finally {
    await client.end();
  }
}

async function compareTables(url: string, load: MixedLoad): Promise<string[]> {
  const database = databaseOn(openPostgres({ databaseUrl: url, log: quietLog }), {
    poolSize: 2,
    log: quietLog,
  });
  try {
    const { wrongCounters, incompleteRows, auditEntries } = await readTables(database);
    return [
      ...wrongCounters,
      ...incompleteRows,
      ...auditDifferences(load.auditEntries(), auditEntries),
    ];
  } finally {
    await database.close();
  }
}
