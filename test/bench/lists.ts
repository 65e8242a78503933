import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import { fillFiles } from './fill-files.ts';
import { fillSponsorship } from './fill-sponsorship.ts';
import type { BenchServer } from './postgres.ts';
import { otherRestServers, type Server, withServers } from './servers.ts';

const features = [
  'userManagement',
  'partnerSponsorship',
  'partnerSponsorshipApi',
  'assistantFiles',
];

const peers = { 'fastify + pg': 'test/peers/lists-pg.ts', ...otherRestServers };

/** Compares all other JSON reads of the REST API with hand-written servers. */
export async function compareLists(
  postgres: BenchServer,
  effort: BenchEffort,
  seed: number,
): Promise<ComparisonFigures[]> {
  const { url, run } = await postgres.createDatabase('lists');
  const { key, organizationId } = await fillOrganization(run, {
    slug: 'lists',
    users: 50,
    features,
    seed,
  });
  await run(
    `insert into teams (id, organization_id, name, name_key, created_at)
     select $1 || '-team-' || i, $1, 'Team ' || i, 'team ' || i, to_timestamp(1750000000 + i) from generate_series(1, 18) i`,
    [organizationId],
  );
  const { largeCampaign: campaign } = await fillSponsorship(run, organizationId, {
    campaigns: 50,
    links: 200,
    redemptions: 200,
  });
  const { key: userKey, assistantId } = await fillFiles(run, organizationId, 50);
  await run('vacuum analyze');
  const [file] = await run<{ id: string }>('select id from assistant_files limit 1');
  const files = `/api/assistant-files/v1/assistants/${assistantId}/files`;
  const campaigns = '/api/sponsorship/v1/campaigns';
  const reads = [
    { read: 'GET teams, 20', key, path: '/api/user-management/v1/teams' },
    { read: 'GET campaigns, 50', key, path: campaigns },
    { read: 'GET links, 100', key, path: `${campaigns}/${campaign}/links` },
    { read: 'GET redemptions, 100', key, path: `${campaigns}/${campaign}/redemptions` },
    { read: 'GET assistants', key: userKey, path: '/api/assistants/v1/' },
    { read: 'GET files, 50', key: userKey, path: files },
    { read: 'GET files/:id', key: userKey, path: `${files}/${file?.id}` },
  ];
  return withServers(peers, { DATABASE_URL: url }, async (servers) => {
    const figures: ComparisonFigures[] = [];
    for (const { read, key: apiKey, path } of reads) {
      const answers = await Promise.all(
        servers.map(async ({ name, server }) => ({
          name,
          answer: await answerOf(server, path, apiKey),
        })),
      );
      for (const { name, answer } of answers)
        if (answer !== answers[0]?.answer)
          throw new Error(
            `${read}: the answer of ${name} differs:\n${answers[0]?.answer.slice(0, 700)}\n${answer.slice(0, 700)}`,
          );
      figures.push(await compareServers(servers, { read, key: apiKey, paths: [path] }, effort));
    }
    return figures;
  });
}

/** Reads the answer without what differs between the servers: the origin and the entity tag. */
async function answerOf({ origin }: Server, path: string, key: string): Promise<string> {
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return text.replaceAll(origin, 'http://own').replace(/"etag":".*?[^\\]"/, '"etag":""');
}
