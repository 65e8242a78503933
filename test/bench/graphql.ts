import { isDeepStrictEqual } from 'node:util';
import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import { fillFiles } from './fill-files.ts';
import { fillSponsorship } from './fill-sponsorship.ts';
import {
  assistantsQuery,
  linksQuery,
  type PostgraphileQuery,
  usersQuery,
} from './postgraphile-queries.ts';
import type { BenchServer } from './postgres.ts';
import { type NamedServer, withServers } from './servers.ts';

const features = [
  'userManagement',
  'partnerSponsorship',
  'partnerSponsorshipApi',
  'assistantFiles',
];

const postgraphile = 'PostGraphile';
const peers = {
  'plain Yoga': 'test/bench/plain-yoga.ts',
  'Mercurius with JIT': 'test/peers/mercurius.ts',
  [postgraphile]: 'test/peers/postgraphile.ts',
};

/**
 * Compares typical dashboard queries to /graphql with plain GraphQL Yoga and with Mercurius on the
 * same schema, and with PostGraphile on the same tables.
 */
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
  const [person] = await run<{ user_id: string }>(
    "select user_id from api_keys where kind = 'USER' and organization_id = $1",
    [organizationId],
  );
  await run('vacuum analyze');
  const users =
    'nodes { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } totalCount page pageSize totalPages';
  const queries = [
    {
      read: 'graphql: 50 users',
      key,
      query: `{ users(page: 1, pageSize: 50) { ${users} } }`,
      other: usersQuery(organizationId, 50),
    },
    {
      read: 'graphql: a campaign, its links',
      key,
      query: `{ links(campaignId: "${campaign}", page: 1, pageSize: 50) { nodes { id name url isActive hasPassword createdAt } totalCount } teams { nodes { id name memberCount } } }`,
      other: linksQuery(organizationId, campaign, 50),
    },
    {
      read: 'graphql: assistants, their files',
      key: userKey,
      query:
        '{ assistants { nodes { id name myLevel files { nodes { id originalName size createdAt processingStatus hash } } } } }',
      other: assistantsQuery(organizationId, person?.user_id ?? ''),
    },
  ];
  const env = { DATABASE_URL: url, GRAPHILE_ENV: 'production' };
  return withServers(peers, env, async (servers) => {
    const figures: ComparisonFigures[] = [];
    for (const { read, key: apiKey, query, other } of queries) {
      const expected = await answerOf(servers[0], { query }, apiKey);
      for (const server of servers) {
        const asked = server.name === postgraphile ? other : { query };
        const answer = await answerOf(server, asked, apiKey);
        if (!isDeepStrictEqual(answer, expected))
          throw new Error(
            `${read}: the answer of ${server.name} differs:\n${JSON.stringify(expected).slice(0, 500)}\n${JSON.stringify(answer).slice(0, 500)}`,
          );
      }
      const payloadOf = (text: string) => ({
        method: 'POST' as const,
        body: JSON.stringify({ query: text }),
      });
      figures.push(
        await compareServers(
          servers.map((server) =>
            server.name === postgraphile ? { ...server, payload: payloadOf(other.query) } : server,
          ),
          { read, key: apiKey, paths: ['/graphql'], payload: payloadOf(query) },
          effort,
        ),
      );
    }
    return figures;
  });
}

/**
 * Reads the data of an answer. Addresses contain the origin of the server, so it is replaced before
 * the comparison.
 */
async function answerOf(
  named: NamedServer | undefined,
  { query, toOurs = (data) => data }: Partial<PostgraphileQuery>,
  key: string,
): Promise<unknown> {
  const answer = await fetch(`${named?.server.origin}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const text = await answer.text();
  const { data, errors } = JSON.parse(
    text.replaceAll(/http:\/\/127\.0\.0\.1(:\d+)?\//g, 'http://own/'),
  );
  if (answer.status !== 200 || errors)
    throw new Error(`${named?.name} answered with ${answer.status}: ${text.slice(0, 500)}`);
  return toOurs(data as never);
}
