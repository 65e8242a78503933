import { isDeepStrictEqual } from 'node:util';
import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import { fillFiles } from './fill-files.ts';
import { fillSponsorship } from './fill-sponsorship.ts';
import type { BenchServer } from './postgres.ts';
import { atriumScript, type Server, startServer } from './servers.ts';

const features = [
  'userManagement',
  'partnerSponsorship',
  'partnerSponsorshipApi',
  'assistantFiles',
];

/** Compares typical dashboard queries to /graphql with plain GraphQL Yoga on the same schema. */
export async function compareGraphql(
  postgres: BenchServer,
  effort: BenchEffort,
  seed: number,
): Promise<ComparisonFigures[]> {
  const { url, run } = await postgres.createDatabase('graphql');
  const { key, organizationId } = await fillOrganization(run, {
    slug: 'graphql',
    users: 500,
    features,
    seed,
  });
  const { largeCampaign: campaign } = await fillSponsorship(run, organizationId, {
    campaigns: 50,
    links: 200,
    redemptions: 200,
  });
  const { key: userKey } = await fillFiles(run, organizationId, 50);
  await run('vacuum analyze');
  const users =
    'nodes { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } totalCount page pageSize totalPages';
  const queries = [
    { read: 'graphql: 50 users', key, query: `{ users(page: 1, pageSize: 50) { ${users} } }` },
    {
      read: 'graphql: a campaign, its links',
      key,
      query: `{ links(campaignId: "${campaign}", page: 1, pageSize: 50) { nodes { id name url isActive hasPassword createdAt } totalCount } teams { nodes { id name memberCount } } }`,
    },
    {
      read: 'graphql: assistants, their files',
      key: userKey,
      query:
        '{ assistants { nodes { id name myLevel files { nodes { id originalName size createdAt processingStatus hash } } } } }',
    },
  ];
  const servers: Server[] = [];
  try {
    for (const script of [atriumScript, 'test/bench/plain-yoga.ts'])
      servers.push(await startServer(script, { DATABASE_URL: url }));
    const namedServers = servers.map((server, index) => ({
      name: index === 0 ? 'ours' : 'plain Yoga',
      server,
    }));
    const figures: ComparisonFigures[] = [];
    for (const { read, key: apiKey, query } of queries) {
      const payload = { method: 'POST' as const, body: JSON.stringify({ query }) };
      const [ownAnswer, peerAnswer] = await Promise.all(
        servers.map((server) => answerOf(server, payload.body, apiKey)),
      );
      if (!isDeepStrictEqual(ownAnswer, peerAnswer))
        throw new Error(
          `${read}: the answers differ:\n${JSON.stringify(ownAnswer).slice(0, 500)}\n${JSON.stringify(peerAnswer).slice(0, 500)}`,
        );
      figures.push(
        await compareServers(
          namedServers,
          { read, key: apiKey, paths: ['/graphql'], payload },
          effort,
        ),
      );
    }
    return figures;
  } finally {
    for (const server of servers) await server.stop();
  }
}

/**
 * Reads the answer. Addresses contain the origin of the server, so it is replaced before the
 * comparison.
 */
async function answerOf({ origin }: Server, body: string, key: string): Promise<object> {
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  const answerBody = JSON.parse(text.replaceAll(/http:\/\/127\.0\.0\.1(:\d+)?\//g, 'http://own/'));
  if (answer.status !== 200 || answerBody.errors)
    throw new Error(`the query was answered with ${answer.status}: ${text.slice(0, 500)}`);
  return answerBody;
}
