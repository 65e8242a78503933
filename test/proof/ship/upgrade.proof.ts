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
import { type Finding, none, type Proof } from '../proof.ts';
import { type Earlier, leaveAt } from './earlier-state.ts';
import { command, openGround, type Place, query, startOn, whyNoPostgres } from './place.ts';

// The migrations that the first release had; before them nobody has data.
const released = 3;
const kills = { quick: 2, full: 20, embedded: 8 };
// The API without a vault: files are no matter of an upgrade.
const alone = ['api'];

type Ground = ReturnType<typeof openGround>;
type Say = (line: string) => void;

export const proof: Proof = {
  claim:
    'a database of any earlier release is brought up to date by starting, also when that is interrupted or done twice at once',
  async attempt({ quick, seed, say }) {
    const absent = await whyNoPostgres();
    const ground = openGround();
    try {
      if (absent)
        return [
          { figure: 'upgrades on Postgres', leftOut: absent },
          ...(await embedded(ground, seed, say)),
        ];
      return [
        ...(await postgres(ground, quick, seed, say)),
        ...(quick ? [] : await embedded(ground, seed, say)),
      ];
    } finally {
      await ground.close();
    }
  },
};

async function postgres(
  ground: Ground,
  quick: boolean,
  seed: number,
  say: Say,
): Promise<Finding[]> {
  const migrations = await readMigrations();
  const fresh = await ground.postgres('fresh');
  await command('prisma/migrate.ts', fresh);
  const wanted = await shapeOf(fresh.DATABASE_URL);
  const faults: string[] = [];
  const states = quick
    ? [released]
    : migrations.slice(released).map((_, index) => released + index);
  for (const state of states) {
    const settings = await ground.postgres(`state-${state}`);
    const earlier = await leaveAt(settings, migrations.slice(0, state));
    // Two at once: one of them migrates, the other waits for it.
    const places = await Promise.all([
      startOn(settings, alone),
      startOn({ ...settings, DATA_DIR: `${settings.DATA_DIR}-second` }, alone),
    ]);
    for (const place of places)
      faults.push(
        ...(await answersOf(place, earlier)).map((fault) => `${state} migrations: ${fault}`),
      );
    await Promise.all(places.map((place) => place.kill()));
    if ((await shapeOf(settings.DATABASE_URL)) !== wanted)
      faults.push(`${state} migrations: the tables differ from those of a new database`);
    const counted = await command('src/check-counters.ts', settings).catch(String);
    if (!counted.startsWith('All kept')) faults.push(`${state} migrations: ${counted}`);
  }
  for (const fault of faults.slice(0, 10)) say(fault);
  return [
    none(
      `Postgres: of ${states.length} earlier states, each started by two processes at once, faults`,
      faults.length,
    ),
    ...(await killedOnPostgres(ground, wanted, {
      times: quick ? kills.quick : kills.full,
      seed,
      say,
    })),
    none(
      'Postgres: migrations that a process of the release before would apply, warn of or refuse',
      await forTheOneBefore(fresh.DATABASE_URL),
    ),
  ];
}

async function killedOnPostgres(
  ground: Ground,
  wanted: string,
  attempt: Pick<Kills, 'times' | 'seed' | 'say'>,
): Promise<Finding[]> {
  const before = await ground.postgres('killed');
  const earlier = await leaveAt(before, (await readMigrations()).slice(0, released));
  const settings = new Map<number, Awaited<ReturnType<Ground['postgres']>>>();
  const copy = async (nth: number) => {
    const copied = await ground.postgres(`killed-${nth}`, before);
    settings.set(nth, copied);
    return copied;
  };
  const faultsOf = async ({ DATABASE_URL = '', ...rest }: Settings) => {
    await command('prisma/migrate.ts', { ...rest, DATABASE_URL });
    return (await shapeOf(DATABASE_URL)) === wanted
      ? []
      : ['the tables differ from those of a new database'];
  };
  const findings = await killed('Postgres', { ...attempt, copy, faultsOf });
  const last = settings.get(attempt.times);
  if (!last) throw new Error('nothing was killed');
  const place = await startOn(last, alone);
  const faults = await answersOf(place, earlier);
  await place.kill();
  for (const fault of faults) attempt.say(`Postgres: ${fault}`);
  return [
    ...findings,
    none('Postgres: answers that are others after the last of them', faults.length),
  ];
}

type Settings = { DATA_DIR: string; DATABASE_URL?: string };
type Kills = {
  times: number;
  seed: number;
  say: Say;
  copy(nth: number): Promise<Settings>;
  faultsOf(settings: Settings): Promise<string[]>;
};

/**
 * Migrating is cut off at any moment between its begin and its end, each time on a new copy; the
 * next one finishes it.
 */
async function killed(
  kind: string,
  { times, seed, say, copy, faultsOf }: Kills,
): Promise<Finding[]> {
  const first = await copy(0);
  const wholeMs = await timeOf(() => command('prisma/migrate.ts', { ...first }));
  const idleMs = await timeOf(() => command('prisma/migrate.ts', { ...first }));
  // A little before: no two starts take the same time.
  const beginMs = Math.min(idleMs, wholeMs) * 0.8;
  const faults: string[] = [];
  let inside = 0;
  for (let nth = 1; nth <= times; nth += 1) {
    const settings = await copy(nth);
    const migrating = run('prisma/migrate.ts', { ...settings });
    await Promise.race([
      pause(beginMs + ((seed + nth * 7_919) % 1_000) * ((wholeMs - beginMs) / 1_000)),
      migrating.ended,
    ]);
    if (migrating.child.exitCode === null) inside += 1;
    migrating.child.kill('SIGKILL');
    await migrating.ended;
    faults.push(
      ...(await faultsOf(settings).catch((error: unknown) => [String(error)])).map(
        (fault) => `${kind}, kill ${nth}: ${fault}`,
      ),
    );
  }
  say(
    `${kind}: migrating takes ${Math.round(wholeMs)} ms, ${Math.round(idleMs)} ms of them where there is nothing to do`,
  );
  for (const fault of faults.slice(0, 10)) say(fault);
  return [
    atLeast(Math.ceil(times / 2), {
      figure: `${kind}: kills before migrating ended, of ${times}`,
      value: inside,
      unit: '',
    }),
    none(`${kind}: faults after kills during the upgrade`, faults.length),
  ];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function embedded(ground: Ground, seed: number, say: Say): Promise<Finding[]> {
  const migrations = await readMigrations();
  const faults: string[] = [];
  for (const state of [released, migrations.length - 1]) {
    const settings = ground.embedded(`embedded-${state}`);
    const earlier = await leaveAt(settings, migrations.slice(0, state));
    const place = await startOn(settings, alone);
    faults.push(
      ...(await answersOf(place, earlier)).map((fault) => `${state} migrations: ${fault}`),
    );
    await place.kill();
  }
  for (const fault of faults) say(`embedded: ${fault}`);
  const before = ground.embedded('embedded-killed');
  const earlier = await leaveAt(before, migrations.slice(0, released));
  const copy = async (nth: number) => {
    const copied = ground.embedded(`embedded-killed-${nth}`);
    cpSync(before.DATA_DIR, copied.DATA_DIR, { recursive: true });
    return copied;
  };
  const faultsOf = async (settings: Settings) => {
    const place = await startOn({ ...settings }, alone);
    const found = await answersOf(place, earlier);
    await place.kill();
    return found;
  };
  return [
    none('embedded: of 2 earlier states, faults', faults.length),
    ...(await killed('embedded', { times: kills.embedded, seed, say, copy, faultsOf })),
  ];
}

/** What the program answers on an upgraded database that differs from what was in it. */
async function answersOf(place: Place, earlier: Earlier): Promise<string[]> {
  const faults: string[] = [];
  const expectSame = (what: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      faults.push(`${what} is ${JSON.stringify(found)} and not ${JSON.stringify(wanted)}`);
  };
  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
  const { organizationKey, userKey } = earlier;
  const { users, total } = await place.json(
    'GET',
    '/api/user-management/v1/users?pageSize=100',
    organizationKey,
  );
  expectSame('the total of users', total, earlier.members);
  expectSame(
    'the list of users',
    idsOf(users),
    Array.from({ length: earlier.members }, (_, index) => `u${earlier.members - index}`),
  );
  expectSame(
    'the list of campaigns',
    idsOf((await place.json('GET', '/api/sponsorship/v1/campaigns', organizationKey)).campaigns),
    earlier.campaigns,
  );
  expectSame(
    'the list of assistants',
    idsOf((await place.json('GET', '/api/assistants/v1/', userKey)).assistants),
    earlier.assistants,
  );
  const email = `later-${Math.random()}@earlier.example`;
  const { user } = await place.json('POST', '/api/user-management/v1/users', organizationKey, {
    email,
  });
  expectSame('a new user', user.email, email);
  expectSame(
    'taking it back',
    (await place.json('DELETE', `/api/user-management/v1/users/${user.id}`, organizationKey))
      .success,
    true,
  );
  return faults;
}

/** Every column, index, check, trigger and policy, as text. */
async function shapeOf(url: string): Promise<string> {
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

/** A process of the release before, started while the database is already ahead of it. */
async function forTheOneBefore(url: string): Promise<number> {
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
