import { cpSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  applyAll,
  bringUpToDate,
  readMigrations,
} from '../../../src/platform/database/migrations.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { atLeast } from '../../bench/goals.ts';
import { run } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { createEarlierDatabase, type EarlierData } from './earlier-database.ts';
import {
  command,
  openTestStorage,
  postgresUnavailableReason,
  query,
  type ShipServer,
  startServer,
} from './test-storage.ts';

// The first release had three migrations; no data is older than that.
const firstReleaseMigrations = 3;
const kills = { quick: 2, full: 20, embedded: 8 };
// Only the API is started, because an upgrade does not concern the vault.
const apiOnly = ['api'];

type TestStorage = ReturnType<typeof openTestStorage>;
type LogLine = (line: string) => void;

export const proof: Proof = {
  claim:
    'A start upgrades the database of any earlier release, even when it is interrupted or two processes start at once',
  async measure({ quick, seed, log }) {
    const unavailableReason = await postgresUnavailableReason();
    const storage = openTestStorage();
    try {
      if (unavailableReason)
        return [
          { figure: 'upgrades on Postgres', skipped: unavailableReason },
          ...(await upgradeEmbedded(storage, seed, log)),
        ];
      return [
        ...(await upgradePostgres(storage, quick, seed, log)),
        ...(quick ? [] : await upgradeEmbedded(storage, seed, log)),
      ];
    } finally {
      await storage.close();
    }
  },
};

async function upgradePostgres(
  storage: TestStorage,
  quick: boolean,
  seed: number,
  log: LogLine,
): Promise<ProofFinding[]> {
  const migrations = await readMigrations();
  const newDatabase = await storage.postgres('fresh');
  await command('prisma/migrate.ts', newDatabase);
  const expectedSchema = await readSchema(newDatabase.DATABASE_URL);
  const faults: string[] = [];
  const migrationCounts = quick
    ? [firstReleaseMigrations]
    : migrations.slice(firstReleaseMigrations).map((_, index) => firstReleaseMigrations + index);
  for (const migrationCount of migrationCounts) {
    const settings = await storage.postgres(`state-${migrationCount}`);
    const earlierData = await createEarlierDatabase(settings, migrations.slice(0, migrationCount));
    // Two processes start at once: one of them migrates, the other waits.
    const servers = await Promise.all([
      startServer(settings, apiOnly),
      startServer({ ...settings, DATA_DIR: `${settings.DATA_DIR}-second` }, apiOnly),
    ]);
    for (const server of servers)
      faults.push(
        ...(await findAnswerFaults(server, earlierData)).map(
          (fault) => `${migrationCount} migrations: ${fault}`,
        ),
      );
    await Promise.all(servers.map((server) => server.kill()));
    if ((await readSchema(settings.DATABASE_URL)) !== expectedSchema)
      faults.push(`${migrationCount} migrations: the tables differ from those of a new database`);
    const counterReport = await command('src/commands/check-counters.ts', settings).catch(String);
    if (!counterReport.startsWith('All counters match'))
      faults.push(`${migrationCount} migrations: ${counterReport}`);
  }
  for (const fault of faults.slice(0, 10)) log(fault);
  return [
    exactlyZero(
      `Postgres: of ${migrationCounts.length} earlier states, each upgraded by two simultaneous starts, faults`,
      faults.length,
    ),
    ...(await killDuringPostgresMigration(storage, expectedSchema, {
      times: quick ? kills.quick : kills.full,
      seed,
      log,
    })),
    exactlyZero(
      'Postgres: migrations that a process of the previous release would apply, warn about or refuse',
      await countEffectsOfPreviousRelease(newDatabase.DATABASE_URL),
    ),
  ];
}

async function killDuringPostgresMigration(
  storage: TestStorage,
  expectedSchema: string,
  options: Pick<KillOptions, 'times' | 'seed' | 'log'>,
): Promise<ProofFinding[]> {
  const sourceDatabase = await storage.postgres('killed');
  const earlierData = await createEarlierDatabase(
    sourceDatabase,
    (await readMigrations()).slice(0, firstReleaseMigrations),
  );
  const settings = new Map<number, Awaited<ReturnType<TestStorage['postgres']>>>();
  const copy = async (number: number) => {
    const copiedDatabase = await storage.postgres(`killed-${number}`, sourceDatabase);
    settings.set(number, copiedDatabase);
    return copiedDatabase;
  };
  const faultsOf = async ({ DATABASE_URL = '', ...rest }: DatabaseSettings) => {
    await command('prisma/migrate.ts', { ...rest, DATABASE_URL });
    return (await readSchema(DATABASE_URL)) === expectedSchema
      ? []
      : ['the tables differ from those of a new database'];
  };
  const findings = await killDuringMigration('Postgres', { ...options, copy, faultsOf });
  const lastSettings = settings.get(settings.size - 1);
  if (!lastSettings) throw new Error('the list of kills is empty');
  const server = await startServer(lastSettings, apiOnly);
  const faults = await findAnswerFaults(server, earlierData);
  await server.kill();
  for (const fault of faults) options.log(`Postgres: ${fault}`);
  return [...findings, exactlyZero('Postgres: changed answers after the last kill', faults.length)];
}

type DatabaseSettings = { DATA_DIR: string; DATABASE_URL?: string };
type KillOptions = {
  times: number;
  seed: number;
  log: LogLine;
  copy(number: number): Promise<DatabaseSettings>;
  faultsOf(settings: DatabaseSettings): Promise<string[]>;
};

/**
 * Kills a migration at a random moment, each time on a new copy of the database. The next migration
 * must complete it.
 */
async function killDuringMigration(
  kind: string,
  { times, seed, log, copy, faultsOf }: KillOptions,
): Promise<ProofFinding[]> {
  const first = await copy(0);
  const migrationMs = await measureMs(() => command('prisma/migrate.ts', { ...first }));
  const idleMs = await measureMs(() => command('prisma/migrate.ts', { ...first }));
  // The kills begin a little earlier, because the time of a start varies.
  const beginMs = Math.min(idleMs, migrationMs) * 0.8;
  const faults: string[] = [];
  const interruptedMin = Math.ceil(times / 2);
  let interruptedCount = 0;
  let number = 0;
  // A migration that is faster than the measured one may end before it is killed. Then more
  // migrations are killed.
  while (number < times || (interruptedCount < interruptedMin && number < 3 * times)) {
    number += 1;
    const settings = await copy(number);
    const migrating = run('prisma/migrate.ts', { ...settings });
    await Promise.race([
      pause(beginMs + ((seed + number * 7_919) % 1_000) * ((migrationMs - beginMs) / 1_000)),
      migrating.ended,
    ]);
    if (migrating.child.exitCode === null) interruptedCount += 1;
    migrating.child.kill('SIGKILL');
    await migrating.ended;
    faults.push(
      ...(await faultsOf(settings).catch((error: unknown) => [String(error)])).map(
        (fault) => `${kind}, kill ${number}: ${fault}`,
      ),
    );
  }
  log(
    `${kind}: a migration takes ${Math.round(migrationMs)} ms, and ${Math.round(idleMs)} ms without pending migrations`,
  );
  for (const fault of faults.slice(0, 10)) log(fault);
  return [
    atLeast(interruptedMin, {
      figure: `${kind}: kills during the migration, of ${number}`,
      value: interruptedCount,
      unit: '',
    }),
    exactlyZero(`${kind}: faults after kills during the migration`, faults.length),
  ];
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function upgradeEmbedded(
  storage: TestStorage,
  seed: number,
  log: LogLine,
): Promise<ProofFinding[]> {
  const migrations = await readMigrations();
  const faults: string[] = [];
  for (const migrationCount of [firstReleaseMigrations, migrations.length - 1]) {
    const settings = storage.embedded(`embedded-${migrationCount}`);
    const earlierData = await createEarlierDatabase(settings, migrations.slice(0, migrationCount));
    const server = await startServer(settings, apiOnly);
    faults.push(
      ...(await findAnswerFaults(server, earlierData)).map(
        (fault) => `${migrationCount} migrations: ${fault}`,
      ),
    );
    await server.kill();
  }
  for (const fault of faults) log(`embedded: ${fault}`);
  const sourceDatabase = storage.embedded('embedded-killed');
  const earlierData = await createEarlierDatabase(
    sourceDatabase,
    migrations.slice(0, firstReleaseMigrations),
  );
  const copy = async (number: number) => {
    const copiedDatabase = storage.embedded(`embedded-killed-${number}`);
    cpSync(sourceDatabase.DATA_DIR, copiedDatabase.DATA_DIR, { recursive: true });
    return copiedDatabase;
  };
  const faultsOf = async (settings: DatabaseSettings) => {
    const server = await startServer({ ...settings }, apiOnly);
    const actual = await findAnswerFaults(server, earlierData);
    await server.kill();
    return actual;
  };
  return [
    exactlyZero('embedded: of 2 earlier states, faults', faults.length),
    ...(await killDuringMigration('embedded', {
      times: kills.embedded,
      seed,
      log,
      copy,
      faultsOf,
    })),
  ];
}

/** The answers of a server on the upgraded database that differ from its earlier data. */
async function findAnswerFaults(server: ShipServer, earlierData: EarlierData): Promise<string[]> {
  const faults: string[] = [];
  const expectSame = (what: string, actual: unknown, expected: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      faults.push(`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  };
  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
  const { organizationKey, userKey } = earlierData;
  const { users, total } = await server.json(
    'GET',
    '/api/user-management/v1/users?pageSize=100',
    organizationKey,
  );
  expectSame('the total of users', total, earlierData.memberCount);
  expectSame(
    'the list of users',
    idsOf(users),
    Array.from(
      { length: earlierData.memberCount },
      (_, index) => `u${earlierData.memberCount - index}`,
    ),
  );
  expectSame(
    'the list of campaigns',
    idsOf((await server.json('GET', '/api/sponsorship/v1/campaigns', organizationKey)).campaigns),
    earlierData.campaigns,
  );
  expectSame(
    'the list of assistants',
    idsOf((await server.json('GET', '/api/assistants/v1/', userKey)).assistants),
    earlierData.assistants,
  );
  const email = `later-${Math.random()}@earlier.example`;
  const { user } = await server.json('POST', '/api/user-management/v1/users', organizationKey, {
    email,
  });
  expectSame('a new user', user.email, email);
  expectSame(
    'the removal of the new user',
    (await server.json('DELETE', `/api/user-management/v1/users/${user.id}`, organizationKey))
      .success,
    true,
  );
  return faults;
}

/** Every column, index, check, trigger and policy, as text. */
async function readSchema(url: string): Promise<string> {
  const rows = await query<{ line: string }>(
    url,
    `select line from (
       select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) from information_schema.columns where table_schema = 'public'
       union all select indexdef from pg_indexes where schemaname = 'public'
       union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
       union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
       union all select format('%s %s %s %s', tablename, policyname, qual, with_check) from pg_policies where schemaname = 'public'
     ) shape(line) order by 1`,
  );
  return rows.map(({ line }) => line).join('\n');
}

/** Starts with one migration less than the database has, as the previous release would. */
async function countEffectsOfPreviousRelease(url: string): Promise<number> {
  const warnings: object[] = [];
  const log = { ...quietLog, warn: (fields: object) => warnings.push(fields) };
  const migrations = await readMigrations();
  const applied = await applyAll(
    openPostgres({ databaseUrl: url, log }),
    migrations.slice(0, -1),
    log,
  );
  return (
    applied.length +
    warnings.length +
    (await bringUpToDate(openPostgres({ databaseUrl: url, log }), log)).length
  );
}
