import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { databaseOn } from '../../../src/platform/database/database.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { type OwnPostgres, openOwnPostgres } from '../../support/own-postgres.ts';
import { type Running, start, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { type Attempt, type Finding, none, type Proof } from '../proof.ts';
import { type Load, mixedLoad, readKeys } from './load/load.ts';
import { generous } from './place.ts';
import { everyWayIn } from './questions.ts';
import { untilStoresAgree } from './stores.ts';
import { disagreements, readTables } from './tables.ts';
import { watch } from './watch.ts';

type Outage = {
  name: string;
  awayMs: number;
  begin(postgres: OwnPostgres): Promise<void>;
  end(postgres: OwnPostgres): Promise<void>;
};

const outages: Outage[] = [
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
    end: async (postgres) => postgres.goOn(),
  },
];
const pool = 4;
const promised = { noticedSeconds: 5, answeredSeconds: 20, backSeconds: 5, startedSeconds: 10 };
const startedBeforeMs = 6_000;
const busy = { acknowledged: 40, msMax: 30_000 };
const backMsMax = 60_000;

export const proof: Proof = {
  claim:
    'while Postgres is away every answer says so or is right, none comes late, and all is well again by itself when it is back',
  long: true,
  async attempt({ seed, say }) {
    const postgres = await openOwnPostgres();
    if (!postgres)
      return [
        {
          figure: 'Postgres away and back',
          leftOut: 'no initdb, or no account that it may run as',
        },
      ];
    const directory = temporaryDirectory();
    let running: Running | undefined;
    try {
      running = await start({
        ...generous,
        DATA_DIR: directory.path,
        DATABASE_URL: postgres.url,
        DATABASE_POOL: String(pool),
      });
      const keys = await readKeys(running, running.output());
      // A question about files that are not read yet has another answer.
      await untilStoresAgree(running, directory.path, keys, { orphans: 'allowed' });
      const load = mixedLoad(keys, seed);
      const findings: Finding[] = [];
      for (const outage of outages)
        findings.push(...(await suffer(outage, postgres, running, load, say)));
      const stores = await untilStoresAgree(running, directory.path, load.keys, {
        orphans: 'allowed',
      });
      const tables = await tablesOf(postgres.url, load);
      running.process.kill('SIGKILL');
      await running.ended;
      const early = await startBefore(postgres, {
        ...generous,
        DATA_DIR: directory.path,
        DATABASE_URL: postgres.url,
      });
      findings.push(...early.findings);
      running = early.running;
      await load.check(running);
      for (const fault of [...load.faults(), ...stores, ...tables].slice(0, 20))
        say(`FAULT ${fault}`);
      return [
        ...findings,
        atLeast(100, {
          figure: 'writes that were acknowledged',
          value: load.count('acknowledged'),
          unit: '',
        }),
        none(
          'acknowledged writes lost, half done, done twice or answered otherwise',
          load.faults().length,
        ),
        none('totals, audit log or rows that do not agree with what was done', tables.length),
        none('files stuck, or stored files, rows and passages that disagree', stores.length),
      ];
    } finally {
      running?.process.kill('SIGKILL');
      await running?.ended;
      await postgres.close();
      directory.remove();
    }
  },
};

async function suffer(
  { name, awayMs, begin, end }: Outage,
  postgres: OwnPostgres,
  running: Running,
  load: Load,
  say: Attempt['say'],
): Promise<Finding[]> {
  const questions = await everyWayIn(running, load.keys);
  const watched = watch(running, questions);
  const resting = new AbortController();
  const working = load.work(running, resting.signal);
  const enough = load.count('acknowledged') + busy.acknowledged;
  for (
    const endsAt = performance.now() + busy.msMax;
    load.count('acknowledged') < enough && performance.now() < endsAt;
  )
    await pause(20);
  const begunAt = performance.now();
  await begin(postgres);
  const awayAt = performance.now();
  await pause(awayMs);
  resting.abort();
  await end(postgres);
  const backAt = performance.now();
  const often = questions.filter(({ everyMs = 0 }) => everyMs <= 1_000);
  const backAfter = () =>
    often.map((question) => watched.firstAfter(backAt, question.name, 'right'));
  while (backAfter().includes(undefined) && performance.now() - backAt < backMsMax) await pause(50);
  await watched.stop();
  await working;
  const connections = await connectionsTo(postgres.url);
  await load.check(running);
  await load.finish(running);

  const told = new Map<string, number>();
  for (const { name: asked, what, told: answer } of watched.wrong()) {
    const fault = `${asked} ${what}: ${answer.replace(/[0-9a-f-]{36}/g, '…')}`;
    told.set(fault, (told.get(fault) ?? 0) + 1);
  }
  for (const [fault, times] of told) say(`${name}: FAULT ${times} times ${fault}`);
  for (const question of often) {
    const late = watched.firstAfter(backAt, question.name, 'right') ?? Number.POSITIVE_INFINITY;
    if (late > promised.backSeconds * 1000)
      say(
        `${name}: ${question.name} came back after ${Math.round(late)} ms; before it took ${Math.round(watched.usualMs(question.name, begunAt))} ms`,
      );
  }
  const seconds = (ms: number | undefined) =>
    ms === undefined ? Number.POSITIVE_INFINITY : Math.max(0, ms) / 1000;
  const slowest = watched.slowest(begunAt, backAt);
  say(`${name}: the slowest answer was that of ${slowest.name}`);
  const back = Math.max(...backAfter().map(seconds));
  return [
    atMost(promised.noticedSeconds, {
      figure: `${name}: /readyz says 503 after`,
      value: seconds(watched.firstAfter(begunAt, '/readyz', 'away', awayAt)),
      unit: 's',
    }),
    none(
      `${name}: of ${watched.seen.length} answers neither right nor 503, or none at all`,
      watched.wrong().length,
    ),
    atMost(promised.answeredSeconds, {
      figure: `${name}: the slowest answer meanwhile`,
      value: seconds(slowest.ms),
      unit: 's',
    }),
    atMost(promised.backSeconds, {
      figure: `${name}: every way in is right again after`,
      value: back,
      unit: 's',
    }),
    atMost(pool, { figure: `${name}: connections afterwards`, value: connections, unit: '' }),
  ];
}

/** As after a power cut, when everything is started at once. */
async function startBefore(
  postgres: OwnPostgres,
  settings: Record<string, string>,
): Promise<{ running: Running; findings: Finding[] }> {
  await postgres.stop('immediate');
  const starting = start(settings);
  const early = await Promise.race([starting, pause(startedBeforeMs)]);
  await postgres.start();
  const backAt = performance.now();
  const running = await starting;
  const seconds = (performance.now() - backAt) / 1000;
  const told = running.output().match(/the database cannot be reached yet/g)?.length ?? 0;
  return {
    running,
    findings: [
      none('a start before Postgres: ready without it', early === undefined ? 0 : 1),
      atLeast(1, {
        figure: 'a start before Postgres: lines that say what it waits for',
        value: told,
        unit: '',
      }),
      atMost(promised.startedSeconds, {
        figure: 'a start before Postgres: ready after Postgres is',
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

async function tablesOf(url: string, load: Load): Promise<string[]> {
  const database = databaseOn(openPostgres({ databaseUrl: url, log: quietLog }), {
    poolSize: 2,
    log: quietLog,
  });
  try {
    const { wrongCounters, halves, told } = await readTables(database);
    return [...wrongCounters, ...halves, ...disagreements(load.told(), told)];
  } finally {
    await database.close();
  }
}
