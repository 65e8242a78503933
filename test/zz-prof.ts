import { fillWorkspace } from './bench/fill.ts';
import { fillFiles } from './bench/fill-files.ts';
import { fillSponsorship } from './bench/fill-sponsorship.ts';
import { load } from './bench/load.ts';
import { openBenchServer } from './bench/postgres.ts';
import { ours, startServer } from './bench/servers.ts';

const features = ['userManagement', 'partnerSponsorship', 'partnerSponsorshipApi', 'assistantFiles'];
const pg = await openBenchServer('postgres://postgres@127.0.0.1:5432/postgres');
const { url, run } = await pg!.createDatabase('prof');
const { key, organizationId } = await fillWorkspace(run, { slug: 'lists', users: 500, features, seed: 1 });
await run(
  `insert into teams (id, organization_id, name, name_key, created_at) select $1 || '-team-' || i, $1, 'Team ' || i, 'team ' || i, to_timestamp(1750000000 + i) from generate_series(1, 18) i`,
  [organizationId],
);
const { campaign } = await fillSponsorship(run, organizationId, { campaigns: 50, links: 200, redemptions: 200 });
const { key: userKey, assistantId } = await fillFiles(run, organizationId, 50);
await run('vacuum analyze');
const files = `/api/assistant-files/v1/assistants/${assistantId}/files`;
const campaigns = '/api/sponsorship/v1/campaigns';
const all: Record<string, any> = {
  teams: { key, paths: ['/api/user-management/v1/teams'] },
  users: { key, paths: ['/api/user-management/v1/users'] },
  campaigns: { key, paths: [campaigns] },
  links: { key, paths: [`${campaigns}/${campaign}/links`] },
  redemptions: { key, paths: [`${campaigns}/${campaign}/redemptions`] },
  assistants: { key: userKey, paths: ['/api/assistants/v1/'] },
  files: { key: userKey, paths: [files] },
  gql: {
    key,
    paths: ['/graphql'],
    sent: {
      method: 'POST',
      body: JSON.stringify({
        query:
          '{ users(page: 1, pageSize: 50) { items { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } total page pageSize totalPages } }',
      }),
    },
  },
};
const script = process.argv[3] ?? ours;
const server = await startServer(script, {
  DATABASE_URL: url,
  NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof' + (process.argv[3] ? ' --import /tmp/exit.mjs' : ''),
});
for (const name of process.argv[2]!.split(',')) {
  await load({ server, ...all[name], seconds: 3 });
  console.log(name, await load({ server, ...all[name], seconds: Number(process.env.SECS ?? 6) }));
}
await server.stop();
await pg!.close();
