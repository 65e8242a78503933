import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/platform/database/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { operationFor } from '../../support/schema-operations.ts';
import { startVaultServers } from '../../support/vault-servers.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { identifyingWords, plantCanaries } from './canaries.ts';
import { createLeakDetector } from './leak-detector.ts';
import { removeFilters } from './remove-filters.ts';
import {
  fieldsWithoutSlots,
  graphRequest,
  graphSlots,
  otherSlots,
  restSlots,
} from './request-slots.ts';
import {
  administratorUrl,
  canCreateRoles,
  createRestrictedDatabase,
  type RestrictedDatabase,
} from './restricted-database.ts';
import { idsByTable, tableChecksums } from './rows-of-tenant.ts';
import { createTenant, type Tenant, type TestCaller, unrelatedCallers } from './tenants.ts';
import { sendAs, trySlots, unknownValues } from './try-slots.ts';

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
    'Row-level security alone keeps tenants apart: with every tenant filter removed from its SQL, the application neither shows nor changes foreign data',
  async measure({ quick, seed, log }) {
    if (!(await canCreateRoles()))
      return [{ figure: 'row-level security', skipped: `no Postgres at ${administratorUrl}` }];
    const restricted = await createRestrictedDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'atrium-rls-'));
    const parts = await startVaultServers();
    const open = (database: Database) =>
      testApp({ ...settings, DATA_DIR: dataDir }, { vault: parts.client, database });
    try {
      const app = await open(await restricted.open());
      const roleAndTables = await readRoleAndTables(restricted);
      const tenants = await prepareTenants(
        app,
        await restricted.openAsAdministrator(),
        `cnry${seed.toString(36)}a`,
        quick,
      );
      await app.close();
      const { visibleTables } = await findTablesVisibleWithoutScope(restricted);
      log(
        `the role ${roleAndTables.role.rolname} owns ${roleAndTables.tables} tables; ${tenants.callers.length} callers, seed ${seed}`,
      );

      const withPolicies = await trySlotsWithoutFilter(tenants, () => restricted.open().then(open));
      for (const [leak, where] of withPolicies.leaks) log(`leaked: ${leak}, first in ${where}`);
      for (const line of withPolicies.changed) log(`changed: ${line}`);
      for (const line of withPolicies.broken.slice(0, 20)) log(`broken: ${line}`);
      log(
        `${withPolicies.statements} statements lost their filter, ${withPolicies.answers} answers; now the same as a superuser, without row-level security`,
      );
      // A control with fewer callers: without row-level security this build must leak.
      const withoutPolicies = await trySlotsWithoutFilter(
        { ...tenants, callers: tenants.callers.slice(0, quick ? 2 : 4) },
        () => restricted.openAsAdministrator().then(open),
      );
      await tenants.administration.close();
      return [
        exactlyZero(
          'privileges of the role that bypass row-level security',
          Number(roleAndTables.role.rolsuper) + Number(roleAndTables.role.rolbypassrls),
        ),
        exactlyZero('tables without an enforced policy', roleAndTables.open.length),
        exactlyZero('tables with visible rows when no organization is set', visibleTables.length),
        exactlyZero('leaks with row-level security', withPolicies.leaks.size),
        exactlyZero('foreign tables changed with row-level security', withPolicies.changed.length),
        exactlyZero('answers of 5xx', withPolicies.broken.length),
        {
          figure: 'control without row-level security: leaks',
          value: withoutPolicies.leaks.size,
          unit: '',
          goal: '≥ 20',
          held: withoutPolicies.leaks.size >= 20,
        },
        {
          figure: 'control without row-level security: tables changed',
          value: withoutPolicies.changed.length,
          unit: '',
          goal: '≥ 5',
          held: withoutPolicies.changed.length >= 5,
        },
      ];
    } finally {
      await parts.close();
      await restricted.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

type RoleAndTables = {
  role: { rolname: string; rolsuper: boolean; rolbypassrls: boolean };
  tables: number;
  open: string[];
};

/** Reads role and tables from the catalogue, so that new tables are included automatically. */
async function readRoleAndTables({ query }: RestrictedDatabase): Promise<RoleAndTables> {
  const [role] = await query<RoleAndTables['role']>(
    'select rolname::text, rolsuper, rolbypassrls from pg_roles where rolname = current_user',
  );
  if (!role) throw new Error('pg_roles does not contain the current role');
  const tables = await query<{ name: string; forced: boolean }>(`
    select c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity and c.relowner = current_user::regrole
      and exists (select from pg_policy p where p.polrelid = c.oid) as forced
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> '_prisma_migrations'`);
  return {
    role,
    tables: tables.length,
    open: tables.filter(({ forced }) => !forced).map(({ name }) => name),
  };
}

/** The tables with visible rows for a client that connects with the role but sets no scope. */
async function findTablesVisibleWithoutScope({
  query,
}: RestrictedDatabase): Promise<{ visibleTables: string[] }> {
  const names = await query<{ name: string }>(
    `select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'`,
  );
  const [row] = await query<{ visibleTables: string[] | null }>(
    `select array_remove(array[${names.map(({ name }) => `case when exists (select from "${name}") then '${name}' end`).join(', ')}], null) as "visibleTables"`,
  );
  return { visibleTables: row?.visibleTables ?? [] };
}

type TwoTenants = {
  administration: Database;
  mark: string;
  foreignTenant: Tenant;
  callers: TestCaller[];
  ownValue: (kind: string) => string;
  foreignValues: (kind: string) => string[];
  words: Map<string, string>;
};

/** Creates two tenants with rows in every table, and plants canaries in one of them. */
async function prepareTenants(
  app: TestApp,
  administration: Database,
  mark: string,
  quick: boolean,
): Promise<TwoTenants> {
  app.startProcessing();
  const [foreignTenant, ownTenant] = [
    await createTenant(app, 'foreign', `${mark}-file-content`),
    await createTenant(app, 'own', 'a text of the own tenant'),
  ];
  const allCallers = [
    ...ownTenant.callers,
    ...(await unrelatedCallers(app, foreignTenant, ownTenant)),
  ];
  // The quick version uses an organization key, a signed-in administrator and a former member of
  // the foreign tenant.
  const callers = quick
    ? allCallers.filter(({ name }) => /^(organization key|administrator of|former)/.test(name))
    : allCallers;
  await plantCanaries(administration, foreignTenant.organizationId, mark);
  const ids = await idsByTable(administration.prisma, foreignTenant.organizationId);
  const ownIds = await idsByTable(administration.prisma, ownTenant.organizationId);
  const [{ email = '' } = {}] = await administration.sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id where m.organization_id = ${foreignTenant.organizationId} order by u.id`;
  return {
    ...{ administration, mark, foreignTenant, callers },
    ownValue: (kind) => ownIds.get(kind)?.[0] ?? 'a text of the own tenant',
    foreignValues(kind) {
      if (kind === 'search') return [mark];
      if (kind === 'email') return [email];
      return quick ? (ids.get(kind) ?? []).slice(0, 1) : (ids.get(kind) ?? []);
    },
    words: await identifyingWords(administration, foreignTenant.organizationId),
  };
}

async function trySlotsWithoutFilter(
  { administration, mark, foreignTenant, callers, ownValue, foreignValues, words }: TwoTenants,
  start: () => Promise<TestApp>,
) {
  const before = await tableChecksums(administration.prisma, foreignTenant.organizationId);
  const leakDetector = createLeakDetector({ mark, words });
  const filters = removeFilters();
  const app = await start();
  try {
    const slots = [...restSlots(ownValue), ...graphSlots(ownValue), ...otherSlots(ownValue)];
    const trialResult = await trySlots({
      app,
      leakDetector,
      callers,
      slots,
      foreign: foreignValues,
      unknown: unknownValues(mark),
    });
    for (const caller of callers) {
      for (const root of fieldsWithoutSlots) {
        const variables = Object.fromEntries(root.inputs.map(({ name }) => [name, undefined]));
        leakDetector.checkAnswer(
          `${root.name} as ${caller.name}`,
          '',
          await sendAs(app, caller, graphRequest(root, operationFor(root), variables)),
        );
      }
    }
    const statements = filters.changed();
    filters.stop();
    const after = await tableChecksums(administration.prisma, foreignTenant.organizationId);
    const changed = [...before]
      .filter(([name, print]) => after.get(name) !== print)
      .map(([name, print]) => `${name}: ${print} → ${after.get(name)}`);
    return {
      leaks: leakDetector.leaks,
      changed,
      broken: trialResult.broken,
      answers: leakDetector.answerCount(),
      statements,
    };
  } finally {
    filters.stop();
    await app.close();
  }
}
