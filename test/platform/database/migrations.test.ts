import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  applyAll,
  bringUpToDate,
  readMigrations,
} from '../../../src/platform/database/migrations.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { emptyServer, serverUrl, testDatabase } from '../../support/database.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';

let server: Awaited<ReturnType<typeof emptyServer>>;
let directory: ReturnType<typeof temporaryDirectory>;

beforeEach(async () => {
  server = await emptyServer();
  directory = temporaryDirectory();
});
afterEach(async () => {
  await server.close();
  directory.remove();
});

function write(name: string, script: string): void {
  mkdirSync(`${directory.path}/${name}`, { recursive: true });
  writeFileSync(`${directory.path}/${name}/migration.sql`, script);
}
const migrate = (log = quietLog) => bringUpToDate(server, log, directory.path);

async function query<Row extends Record<string, unknown>>(text: string): Promise<Row[]> {
  const pool = server.openPool(1);
  try {
    return (await pool.query<Row>(text)).rows;
  } finally {
    await pool.end();
  }
}
const tables = async () =>
  (
    await query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    )
  ).map(({ name }) => name);

describe('migrating', () => {
  it('every migration is applied once, with the same record as by `prisma migrate deploy`', async () => {
    const migrations = await readMigrations();
    expect(await bringUpToDate(server, quietLog)).toEqual(migrations.map(({ name }) => name));
    expect(await bringUpToDate(server, quietLog)).toEqual([]);
    const record = await query(
      `select migration_name as name, checksum, applied_steps_count as steps, finished_at is not null as finished, rolled_back_at as undone, logs
       from _prisma_migrations order by started_at`,
    );
    expect(record).toEqual(
      migrations.map(({ name, checksum }) => ({
        name,
        checksum,
        steps: 1,
        finished: true,
        undone: null,
        logs: null,
      })),
    );
  });

  it('a script with function bodies is executed unchanged', async () => {
    write(
      '1_function',
      'create function two() returns int language plpgsql as $$ begin perform 1; return 2; end $$; create table kept as select two() as n;',
    );
    await migrate();
    expect(await query('select n from kept')).toEqual([{ n: 2 }]);
  });

  it('a failed migration is rolled back and named, and the next run continues with it once it is fixed', async () => {
    write('1_first', 'create table first (id int);');
    write('2_second', 'create table second (id int); insert into nowhere values (1);');
    write('3_third', 'create table third (id int);');
    await expect(migrate()).rejects.toThrow(
      'Migration 2_second failed and was undone: relation "nowhere" does not exist',
    );
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    write('2_second', 'create table second (id int);');
    expect(await migrate()).toEqual(['2_second', '3_third']);
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'second', 'third']);
  });

  it('a migration that was edited after it was applied is logged, and the database is left unchanged', async () => {
    write('1_first', 'create table first (id int);');
    await migrate();
    write('1_first', 'create table other (id int);');
    const warnings: object[] = [];
    expect(await migrate({ ...quietLog, warn: (fields) => warnings.push(fields) })).toEqual([]);
    expect(warnings).toEqual([{ migrations: ['1_first'] }]);
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
  });
});

describe('the migration accepted_memberships', () => {
  it('the memberships of people who have signed in are accepted, and the names of all others move to the organization that gave them', async () => {
    const migrations = await readMigrations();
    const at = migrations.findIndex(({ name }) => name.endsWith('_accepted_memberships'));
    await applyAll(server, migrations.slice(0, at), quietLog);
    await query(`
      insert into organizations (id, slug, name, updated_at) select id, id, id, now() from (values ('first'), ('second')) made (id);
      insert into teams (id, organization_id, name, name_key, is_default) select id, id, 'Everyone', 'everyone', true from organizations;
      insert into users (id, email, first_name, last_name, last_login, created_at, updated_at)
        select id, id || '@rows.example', 'Name of', id, case id when 'signed-in' then now() end, '2026-01-01', now()
        from (values ('signed-in'), ('with-password'), ('made')) made (id);
      insert into accounts (id, account_id, provider_id, user_id, updated_at) values ('a', 'a', 'credential', 'with-password', now());
      insert into memberships (organization_id, user_id, user_created_at, created_at)
        select 'first', id, created_at, created_at from users union all select 'second', id, created_at, '2026-02-02' from users`);
    await applyAll(server, migrations, quietLog);
    const rows = await query(`
      select m.organization_id as "in", m.user_id as who, m.accepted_at = m.created_at as accepted, m.was_added as added, given_first_name || given_last_name as given,
        u.first_name as own from memberships m join users u on u.id = m.user_id order by 1, 2`);
    expect(rows).toEqual([
      { in: 'first', who: 'made', accepted: null, added: false, given: 'Name ofmade', own: '' },
      { in: 'first', who: 'signed-in', accepted: true, added: false, given: '', own: 'Name of' },
      {
        in: 'first',
        who: 'with-password',
        accepted: true,
        added: false,
        given: '',
        own: 'Name of',
      },
      { in: 'second', who: 'made', accepted: null, added: false, given: '', own: '' },
      { in: 'second', who: 'signed-in', accepted: true, added: false, given: '', own: 'Name of' },
      {
        in: 'second',
        who: 'with-password',
        accepted: true,
        added: false,
        given: '',
        own: 'Name of',
      },
    ]);
  });
});

describe.skipIf(!serverUrl)('concurrent processes', () => {
  it('processes that start at the same time on an empty database all succeed, and exactly one migrates', async () => {
    const settings = { DATABASE_URL: server.url ?? '' };
    const processes = [1, 2, 3].map(() => run('prisma/migrate.ts', settings));
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    const outputs = processes.map(({ stdout }) => stdout().split(' ')[0]);
    expect(outputs.toSorted()).toEqual(['Applied', 'Nothing', 'Nothing']);
  });

  it('processes that find nothing to apply do not wait for each other', async () => {
    const { url, ...upToDate } = await testDatabase({ poolSize: 1 });
    await upToDate.prisma.$transaction(async (tx) => {
      await tx.$queryRaw`select pg_advisory_xact_lock(72707369)::text`;
      const other = await openDatabase({ databaseUrl: url, dataDir: '', log: quietLog });
      await other.close();
    });
    await upToDate.close();
  });

  it('a process whose connection is lost during a migration leaves no part of it behind', async () => {
    write('1_slow', 'create table half (id int); select pg_sleep(60);');
    let isOver = false;
    const migration = migrate().finally(() => {
      isOver = true;
    });
    const expectation = expect(migration).rejects.toThrow(
      'Migration 1_slow failed and was undone: terminating connection',
    );
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
                 where query like 'create table half%' and datname = current_database()`;
    while (!isOver && (await query(end)).length === 0);
    await expectation;
    expect(await tables()).toEqual(['_prisma_migrations']);
    write('1_slow', 'create table whole (id int);');
    expect(await migrate()).toEqual(['1_slow']);
  });
});
