import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { vaultParts } from '../../support/vault-parts.ts';
import { operationFor } from '../../support/whole-schema.ts';
import { none, type Proof } from '../proof.ts';
import { plantCanaries, rareWordsOf } from './canaries.ts';
import { graphPlaces, graphRequest, otherPlaces, placelessFields, restPlaces } from './places.ts';
import { fingerprintsOf, idsOf } from './rows-of-tenant.ts';
import { type Caller, furnish, strangers, type Tenant } from './tenants.ts';
import { sent, unknownOf, walk } from './walk.ts';
import { administratorUrl, isReachable, type WalledDatabase, walledDatabase } from './wall-role.ts';
import { removeFilters } from './without-filter.ts';
import { witnessOf } from './witness.ts';

const settings = {
  ...{
    ORGANIZATION_KEY_LIMIT: '1000000',
    USER_KEY_LIMIT: '1000000',
    ANONYMOUS_LIMIT: '1000000',
    VAULT_ORGANIZATION_LIMIT: '1000000',
    VAULT_PERSON_LIMIT: '1000000',
  },
  METRICS_TOKEN: 'the-token-of-the-metrics',
};

export const proof: Proof = {
  claim:
    'with row-level security and without a filter of its own the application shows and changes nothing foreign',
  async attempt({ quick, seed, say }) {
    if (!(await isReachable()))
      return [{ figure: 'row-level security', leftOut: `no Postgres at ${administratorUrl}` }];
    const walled = await walledDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'atrium-wall-'));
    const parts = await vaultParts();
    const open = (database: Database) =>
      testApp({ ...settings, DATA_DIR: dataDir }, { vault: parts.client, database });
    try {
      const app = await open(await walled.open());
      const wall = await describeWall(walled);
      const scene = await prepare(
        app,
        await walled.openAsAdministrator(),
        `cnry${seed.toString(36)}a`,
        quick,
      );
      await app.close();
      const { unsaid } = await lookUnsaid(walled);
      say(
        `the role ${wall.role.rolname} owns ${wall.tables} tables; ${scene.callers.length} callers, seed ${seed}`,
      );

      const behind = await walkWithoutFilter(scene, () => walled.open().then(open));
      for (const [crossing, where] of behind.crossings)
        say(`came out: ${crossing}, first in ${where}`);
      for (const line of behind.changed) say(`changed: ${line}`);
      for (const line of behind.broken.slice(0, 20)) say(`broken: ${line}`);
      say(
        `${behind.statements} statements lost their filter, ${behind.answers} answers; now the same where no wall is`,
      );
      // Fewer callers: it is to be seen that this build leaks at all.
      const bare = await walkWithoutFilter(
        { ...scene, callers: scene.callers.slice(0, quick ? 2 : 4) },
        () => walled.openAsAdministrator().then(open),
      );
      await scene.administration.close();
      return [
        none('privileges of the role', Number(wall.role.rolsuper) + Number(wall.role.rolbypassrls)),
        none('tables without a forced policy', wall.open.length),
        none('tables that show a row where nothing is said', unsaid.length),
        none('ways by which something came out', behind.crossings.size),
        none('tables of theirs that changed', behind.changed.length),
        none('answers of 5xx', behind.broken.length),
        {
          figure: 'the same without the wall: ways out',
          value: bare.crossings.size,
          unit: '',
          goal: '≥ 20',
          held: bare.crossings.size >= 20,
        },
        {
          figure: 'the same without the wall: tables changed',
          value: bare.changed.length,
          unit: '',
          goal: '≥ 5',
          held: bare.changed.length >= 5,
        },
      ];
    } finally {
      await parts.close();
      await walled.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

type Wall = {
  role: { rolname: string; rolsuper: boolean; rolbypassrls: boolean };
  tables: number;
  open: string[];
};

/** What the catalogue says, so that a table of tomorrow is looked at by itself. */
async function describeWall({ ask }: WalledDatabase): Promise<Wall> {
  const [role] = await ask<Wall['role']>(
    'select rolname::text, rolsuper, rolbypassrls from pg_roles where rolname = current_user',
  );
  if (!role) throw new Error('the catalogue does not know our role');
  const tables = await ask<{ name: string; forced: boolean }>(`
    select c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity and c.relowner = current_user::regrole
      and exists (select from pg_policy p where p.polrelid = c.oid) as forced
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> '_prisma_migrations'`);
  return {
    role,
    tables: tables.length,
    open: tables.filter(({ forced }) => !forced).map(({ name }) => name),
  };
}

/** As somebody who found the role's password and knows nothing of the settings. */
async function lookUnsaid({ ask }: WalledDatabase): Promise<{ unsaid: string[] }> {
  const names = await ask<{ name: string }>(
    `select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'`,
  );
  const [seen] = await ask<{ unsaid: string[] | null }>(
    `select array_remove(array[${names.map(({ name }) => `case when exists (select from "${name}") then '${name}' end`).join(', ')}], null) as unsaid`,
  );
  return { unsaid: seen?.unsaid ?? [] };
}

type Scene = {
  administration: Database;
  mark: string;
  theirs: Tenant;
  callers: Caller[];
  own: (kind: string) => string;
  foreign: (kind: string) => string[];
  words: Map<string, string>;
};

/** Two tenants with something in every table, one of them full of canaries. */
async function prepare(
  app: TestApp,
  administration: Database,
  mark: string,
  quick: boolean,
): Promise<Scene> {
  app.startProcessing();
  const [theirs, ours] = [
    await furnish(app, 'theirs', `${mark}-file-content`),
    await furnish(app, 'ours', 'a word of ours'),
  ];
  const everybody = [...ours.callers, ...(await strangers(app, theirs, ours))];
  // An organization key, an administrator who is signed in, and somebody who was a member of
  // theirs.
  const callers = quick
    ? everybody.filter(({ name }) => /^(organization key|administrator of|former)/.test(name))
    : everybody;
  await plantCanaries(administration, theirs.organizationId, mark);
  const ids = await idsOf(administration.prisma, theirs.organizationId);
  const ourIds = await idsOf(administration.prisma, ours.organizationId);
  const [{ email = '' } = {}] = await administration.sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id where m.organization_id = ${theirs.organizationId} order by u.id`;
  return {
    ...{ administration, mark, theirs, callers },
    own: (kind) => ourIds.get(kind)?.[0] ?? 'a text of ours',
    foreign(kind) {
      if (kind === 'search') return [mark];
      if (kind === 'email') return [email];
      return quick ? (ids.get(kind) ?? []).slice(0, 1) : (ids.get(kind) ?? []);
    },
    words: await rareWordsOf(administration, theirs.organizationId),
  };
}

async function walkWithoutFilter(
  { administration, mark, theirs, callers, own, foreign, words }: Scene,
  start: () => Promise<TestApp>,
) {
  const before = await fingerprintsOf(administration.prisma, theirs.organizationId);
  const witness = witnessOf({ mark, words });
  const filters = removeFilters();
  const app = await start();
  try {
    const places = [...restPlaces(own), ...graphPlaces(own), ...otherPlaces(own)];
    const walked = await walk({ app, witness, callers, places, foreign, unknown: unknownOf(mark) });
    for (const caller of callers) {
      for (const root of placelessFields) {
        const variables = Object.fromEntries(root.field.args.map(({ name }) => [name, undefined]));
        witness.hear(
          `${root.name} as ${caller.name}`,
          '',
          await sent(app, caller, graphRequest(root, operationFor(root), variables)),
        );
      }
    }
    const statements = filters.changed();
    filters.stop();
    const after = await fingerprintsOf(administration.prisma, theirs.organizationId);
    const changed = [...before]
      .filter(([name, print]) => after.get(name) !== print)
      .map(([name, print]) => `${name}: ${print} → ${after.get(name)}`);
    return {
      crossings: witness.crossings,
      changed,
      broken: walked.broken,
      answers: witness.looked(),
      statements,
    };
  } finally {
    filters.stop();
    await app.close();
  }
}
