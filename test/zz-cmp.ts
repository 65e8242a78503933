import { fillWorkspace } from './bench/fill.ts';
import { fillFiles } from './bench/fill-files.ts';
import { fillSponsorship } from './bench/fill-sponsorship.ts';
import { openBenchServer } from './bench/postgres.ts';
import { ours, startServer } from './bench/servers.ts';
import { takeTurns } from './bench/turns.ts';

const features = ['userManagement', 'partnerSponsorship', 'partnerSponsorshipApi', 'assistantFiles'];
const pg = await openBenchServer('postgres://postgres@127.0.0.1:5432/postgres');
const { url, run } = await pg!.createDatabase('cmp');
const { key, organizationId } = await fillWorkspace(run, { slug: 'lists', users: 50, features, seed: 1 });
await run(
  `insert into teams (id, organization_id, name, name_key, created_at) select $1 || '-team-' || i, $1, 'Team ' || i, 'team ' || i, to_timestamp(1750000000 + i) from generate_series(1, 18) i`,
  [organizationId],
);
const { campaign } = await fillSponsorship(run, organizationId, { campaigns: 50, links: 200, redemptions: 200 });
const { key: userKey, assistantId } = await fillFiles(run, organizationId, 50);
await run('vacuum analyze');
const [file] = await run<{ id: string }>('select id from assistant_files limit 1');
const files = `/api/assistant-files/v1/assistants/${assistantId}/files`;
const campaigns = '/api/sponsorship/v1/campaigns';
const all: Record<string, any> = {
  teams: { key, paths: ['/api/user-management/v1/teams'] },
  campaigns: { key, paths: [campaigns] },
  links: { key, paths: [`${campaigns}/${campaign}/links`] },
  redemptions: { key, paths: [`${campaigns}/${campaign}/redemptions`] },
  assistants: { key: userKey, paths: ['/api/assistants/v1/'] },
  files: { key: userKey, paths: [files] },
  file: { key: userKey, paths: [`${files}/${file?.id}`] },
};
const servers = [await startServer(ours, { DATABASE_URL: url }), await startServer('test/bench/peers/lists-pg.ts', { DATABASE_URL: url })];
const named = servers.map((server, at) => ({ name: at === 0 ? 'ours' : 'peer', server }));
const log = console.log;
for (const name of (process.argv[2] ?? Object.keys(all).join(',')).split(',')) {
  console.log = () => {};
  const { servers: s, ratios } = await takeTurns(named, { read: name, ...all[name] }, { rounds: Number(process.argv[3] ?? 5), seconds: 2, warmSeconds: 3 });
  console.log = log;
  console.log(name.padEnd(12), ratios[0]!.requests.toFixed(2), s.map((x) => `${x.name} ${Math.round(x.perSecond)}/s ${Math.round(x.cpuMicros)}µs`).join(' | '));
}
for (const s of servers) await s.stop();
await pg!.close();
