import pgm from 'pg';
import { listCampaigns } from '../src/modules/sponsorship/list-campaigns.ts';
import { listLinks } from '../src/modules/sponsorship/list-links.ts';
import { listRedemptions } from '../src/modules/sponsorship/list-redemptions.ts';
import { listTeams } from '../src/modules/teams/list-teams.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { fillWorkspace } from './bench/fill.ts';
import { fillFiles } from './bench/fill-files.ts';
import { fillSponsorship } from './bench/fill-sponsorship.ts';
import { openBenchServer } from './bench/postgres.ts';

const features = ['userManagement', 'partnerSponsorship', 'partnerSponsorshipApi', 'assistantFiles'];
const pg = await openBenchServer('postgres://postgres@127.0.0.1:5432/postgres');
const { url, run } = await pg!.createDatabase('cmpsql');
const { organizationId } = await fillWorkspace(run, { slug: 'lists', users: 50, features, seed: 1 });
await run(
  `insert into teams (id, organization_id, name, name_key, created_at) select $1 || '-team-' || i, $1, 'Team ' || i, 'team ' || i, to_timestamp(1750000000 + i) from generate_series(1, 18) i`,
  [organizationId],
);
const { campaign } = await fillSponsorship(run, organizationId, { campaigns: 50, links: 200, redemptions: 200 });
await fillFiles(run, organizationId, 50);
await run('vacuum analyze');
const client = new pgm.Client({ connectionString: url });
await client.connect();
const seen: any[] = [];
const database = await openDatabase({ databaseUrl: url, dataDir: ':memory:', poolSize: 1, log: { info() {}, warn() {} } });
const spy = {
  ...database,
  sql: async (strings: any, ...values: any[]) => {
    seen.push([strings, values]);
    return (database.sql as any)(strings, ...values);
  },
} as any;
const { statementOf, Fragment } = await import('../src/platform/database/sql.ts');
const parts = { database: spy, clock: () => new Date() };
const time = async (name: string, text: string, values: any[]) => {
  const vals = values.map((v) => (v instanceof Date ? v.toISOString() : v));
  const t: number[] = [];
  for (let i = 0; i < 3000; i++) {
    const s = performance.now();
    await client.query({ name, text, values: vals, rowMode: 'array' });
    t.push(performance.now() - s);
  }
  t.sort((a, b) => a - b);
  console.log(name, 'median client ms', t[1500]!.toFixed(3));
  await client.query('set auto_explain.log_min_duration = 0').catch(() => {});
  const lit = vals.map((v) => (v === null ? 'null' : Array.isArray(v) ? `'{${v.join(',')}}'` : typeof v === 'string' ? `'${v}'` : String(v))).join(',');
  const e = (await client.query(`explain (analyze, buffers) execute "${name}"(${lit})`)).rows.map((r: any) => r['QUERY PLAN']).join('\n');
  if (process.argv[2] === name || process.argv[2] === 'all') console.log(e);
  else console.log(e.split('\n').slice(-2).join(' '));
};
await listRedemptions({ organizationId, campaignIds: [campaign], page: 1, pageSize: 100 }, parts);
await listTeams({ organizationId }, parts);
await listLinks({ organizationId, campaignIds: [campaign], page: 1, pageSize: 100 }, parts);
await listCampaigns({ organizationId, page: 1, pageSize: 50, status: 'all', order: 'NEWEST' } as any, parts);
const [who] = await run<any>('select user_id as id from assistant_shares where user_id is not null limit 1');
const person = { organizationId, userId: who?.id ?? (await run<any>('select user_id as id from memberships limit 1'))[0].id, isAdmin: false };
const { listAssistants } = await import('../src/modules/assistants/list-assistants.ts');
const { listMembers } = (await import('../src/modules/users/list-members.ts')) as any;
await listAssistants({ person, isBrief: true }, parts);
await listMembers?.({ organizationId, page: 1, pageSize: 20 }, parts);
const names = ['redemptions', 'teams', 'links', 'campaigns', 'assistants', 'users'];
for (const [i, [strings, values]] of seen.entries()) {
  const st = statementOf(new Fragment(strings, values));
  await time(names[i] ?? 'x', st.text, st.values as any[]);
}
const src = (await import('node:fs')).readFileSync('test/bench/peers/lists-pg.ts', 'utf8');
const pricing = (of: string) => `case when ${of}.pricing_model is not null
    then json_build_object('model', ${of}.pricing_model, 'amountEur', ${of}.pricing_amount_eur, 'unit', ${of}.pricing_unit) end as pricing`;
for (const n of ['redemptionsText', 'linksText', 'campaignsText', 'teamsText']) {
  const t = new RegExp(`const ${n} = \`([^\`]*)\``).exec(src)![1]!.replace(/\$\{pricing\('(.)'\)\}/g, (_, x) => pricing(x));
  const paged = n !== 'teamsText';
  await time('peer-' + n, paged ? t + ` limit ${n === 'campaignsText' ? 50 : 100} offset $2` : t, [
    n === 'redemptionsText' || n === 'linksText' ? campaign : organizationId,
    ...(paged ? [0] : []),
  ]);
}
const shared = `s.organization_id = $1 and (s.user_id = $2 or (s.user_id is null and s.team_id is null)
  or s.team_id in (select team_id from team_memberships where organization_id = $1 and user_id = $2))`;
const orphaned = `($3 and not exists (select from assistant_shares w where w.assistant_id = a.id and w.level = 'OWNER'))`;
await time(
  'peer-assistants',
  `select a.id, a.name from assistants a
    where a.organization_id = $1 and (exists (select from assistant_shares s where s.assistant_id = a.id and ${shared}) or ${orphaned}) order by a.created_at desc, a.id desc`,
  [organizationId, person.userId, false],
);
await client.end();
await database.close();
await pg!.close();
