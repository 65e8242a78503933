import { isDeepStrictEqual } from 'node:util';
import { isInterfaceType } from 'graphql';
import { schema } from '../../../src/schema.ts';
import { fillOrganization } from '../../bench/fill.ts';
import { fillSponsorship } from '../../bench/fill-sponsorship.ts';
import { openBenchServer } from '../../bench/postgres.ts';
import { atriumScript, startServer } from '../../bench/servers.ts';
import { exactlyZero, type Proof } from '../proof.ts';

const postgresUrl =
  process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const features = ['userManagement', 'partnerSponsorship', 'partnerSponsorshipApi'];

/** Fields of Atrium alone, which must be the same with and without a gateway between. */
const queries = [
  '{ campaigns(first: 20) { totalCount pageInfo { endCursor } nodes { id name durationMonths pricing { amountEur } } } }',
  '{ users(first: 5, search: "a") { nodes { id email createdAt teams { id name } } } teams { nodes { name memberCount } } }',
  '{ node(id: "own-campaign-1") { __typename ... on Campaign { name } } nodes(ids: ["own-campaign-2", "own-link-1"]) { id } }',
  '{ node(id: "foreign-campaign-1") { id } }',
  'mutation { createTeam(input: { name: "%" }) { team { name isDefault } } }',
];

export const proof: Proof = {
  claim:
    'Atrium and another subgraph compose to a supergraph, and a gateway on it answers what Atrium answers, to each organization alone',
  async measure({ log }) {
    const postgres = await openBenchServer(postgresUrl).catch(() => undefined);
    if (!postgres)
      return [{ figure: 'answers through a gateway', skipped: `no Postgres at ${postgresUrl}` }];
    const { url, run } = await postgres.createDatabase('federation');
    const keys: Record<string, string> = {};
    for (const slug of ['own', 'foreign']) {
      keys[slug] = (await fillOrganization(run, { slug, users: 20, features, seed: 42 })).key;
      await fillSponsorship(run, slug, { campaigns: 20, links: 20, redemptions: 20 });
    }
    const atrium = await startServer(atriumScript, { DATABASE_URL: url, FEDERATION: 'true' });
    try {
      const gateway = await startServer('test/peers/federation.ts', {
        ATRIUM_ORIGIN: atrium.origin,
        ATRIUM_KEY: keys['own'] ?? '',
        FEATURED: 'own-campaign-1,foreign-campaign-1,unknown',
      });
      const ask = async (origin: string, query: string, key?: string): Promise<Answer> => {
        const answer = await fetch(`${origin}/graphql`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(key && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({ query }),
        });
        return (await answer.json()) as Answer;
      };
      try {
        const supergraph = await (await fetch(`${gateway.origin}/supergraph`)).text();
        const missing = entityNames().filter((name) => !isEntity(supergraph, name));

        let different = 0;
        for (const [index, query] of queries.entries()) {
          const [direct, throughGateway] = [
            await ask(atrium.origin, query.replace('%', `Direct ${index}`), keys['own']),
            await ask(gateway.origin, query.replace('%', `Gateway ${index}`), keys['own']),
          ].map((answer) => JSON.parse(JSON.stringify(answer).replace(/Direct|Gateway/, 'A')));
          if (!direct.errors && isDeepStrictEqual(direct, throughGateway)) continue;
          different += 1;
          log(
            `${query}: ${JSON.stringify(direct)}, and through the gateway ${JSON.stringify(throughGateway)}`,
          );
        }

        const joined = await ask(
          gateway.origin,
          '{ campaigns(first: 20) { nodes { id name budget } } }',
          keys['own'],
        );
        const joinedRows = joined.data?.campaigns?.nodes ?? [];
        const wrongRows = joinedRows.filter(({ id, budget }) => budget !== id.length);

        let wrongReferences = 0;
        for (const [slug, expected] of Object.entries({
          own: ['Campaign 1', undefined, undefined],
          foreign: [undefined, 'Campaign 1', undefined],
          nobody: [undefined, undefined, undefined],
        })) {
          const { data } = await ask(gateway.origin, '{ featured { id name } }', keys[slug]);
          const names = (data?.featured ?? [null, null, null]).map((campaign) => campaign?.name);
          if (isDeepStrictEqual(names, expected)) continue;
          wrongReferences += 1;
          log(`${slug}: ${JSON.stringify(data)}`);
        }
        return [
          exactlyZero(
            `of ${entityNames().length} types with Node, missing entities`,
            missing.length,
          ),
          exactlyZero(`of ${queries.length} operations, different answers`, different),
          exactlyZero(
            'of 20 campaigns with a field of the other subgraph, wrong or missing',
            20 - joinedRows.length + wrongRows.length,
          ),
          exactlyZero(
            'of 3 callers, wrong answers to references to campaigns of two organizations',
            wrongReferences,
          ),
        ];
      } finally {
        await gateway.stop();
      }
    } finally {
      await atrium.stop();
      await postgres.close();
    }
  },
};

type Campaign = { id: string; name: string; budget?: number };
type Answer = {
  data?: { campaigns?: { nodes: Campaign[] }; featured?: (Campaign | null)[] } | null;
};

function entityNames(): string[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
}

/** Whether the gateway may ask Atrium for objects of the type by their id. */
const isEntity = (supergraph: string, type: string): boolean =>
  new RegExp(`type ${type}\\b[^{]*@join__type\\(graph: ATRIUM, key: "id"\\)`).test(supergraph);
