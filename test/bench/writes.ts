import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import { fillSponsorship } from './fill-sponsorship.ts';
import { vary } from './load.ts';
import type { BenchServer } from './postgres.ts';
import { type Server, withServers } from './servers.ts';

const features = ['userManagement', 'partnerSponsorship', 'partnerSponsorshipApi'];
const sponsorship = '/api/sponsorship/v1';

// The comparison of the answers uses times that are earlier than those under load.
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Compares the writes of the REST API, each with its audit entry, with a hand-written server on
 * Fastify and Prisma.
 */
export async function compareWrites(
  postgres: BenchServer,
  effort: BenchEffort,
  seed: number,
): Promise<ComparisonFigures[]> {
  const { url, run } = await postgres.createDatabase('writes');
  const { key, organizationId } = await fillOrganization(run, {
    slug: 'writes',
    users: 50,
    features,
    seed,
  });
  await fillSponsorship(run, organizationId, { campaigns: 50, links: 200, redemptions: 2_000 });
  await run('vacuum analyze');
  const idsOf = async (table: string) =>
    (await run<{ id: string }>(`select id from ${table} order by id`)).map(({ id }) => id);
  const [ids, linkIds, redemptionIds] = [
    await idsOf('campaigns'),
    await idsOf('links'),
    await idsOf('redemptions'),
  ];
  const body = '{"name":"Name %n"}';
  const post = (sentBody: string) => ({ method: 'POST' as const, body: sentBody });
  const patch = (sentBody: string) => ({ method: 'PATCH' as const, body: sentBody });
  const writes = [
    {
      read: 'POST users',
      paths: ['/api/user-management/v1/users'],
      payload: post('{"email":"u%n@writes.example","firstName":"Ada","lastName":"Lang"}'),
    },
    { read: 'POST teams', paths: ['/api/user-management/v1/teams'], payload: post(body) },
    {
      read: 'PATCH campaigns/:id',
      paths: ids.map((id) => `${sponsorship}/campaigns/${id}`),
      payload: patch(body),
    },
    {
      read: 'POST campaigns/:id/links',
      paths: ids.map((id) => `${sponsorship}/campaigns/${id}/links`),
      payload: post(body),
    },
    {
      read: 'PATCH links/:id',
      paths: linkIds.map((id) => `${sponsorship}/links/${id}`),
      payload: patch(body),
    },
    {
      read: 'PATCH redemptions/:id/extend',
      paths: redemptionIds.map((id) => `${sponsorship}/redemptions/${id}/extend`),
      payload: patch('{"newSponsoredUntil":"%t"}'),
    },
    {
      read: 'PATCH redemptions/:id/billing',
      paths: redemptionIds.map((id) => `${sponsorship}/redemptions/${id}/billing`),
      payload: patch('{"billingStatus":"BILLED","billingAmount":49.9,"billingBatchId":"B %n"}'),
    },
  ];
  const peers = { 'fastify + prisma': 'test/peers/writes-prisma.ts' };
  return withServers(peers, { DATABASE_URL: url }, async (servers) => {
    const figures: ComparisonFigures[] = [];
    for (const { read, paths, payload } of writes) {
      const [ownShape, peerShape] = [
        await shapeOf(servers[0]?.server, paths[0], payload, key),
        await shapeOf(servers[1]?.server, paths[0], payload, key),
      ];
      if (ownShape !== peerShape)
        throw new Error(`${read}: the answers differ:\n${ownShape}\n${peerShape}`);
      figures.push(await compareServers(servers, { read, key, paths, payload }, effort));
    }
    const [auditCounts] = await run<{ written: number; audited: number }>(
      `select (select count(*) from teams where name like 'Name %') + (select count(*) - ${linkIds.length} from links)
                + (select count(*) from users where email like 'u%@writes.example') + (select count(*) from billing_changes) as written,
              (select count(*) from audit_entries where action in ('create-team', 'create-link', 'create-user', 'set-redemption-billing')) as audited`,
    );
    if (Number(auditCounts?.written) !== Number(auditCounts?.audited))
      throw new Error('a server wrote without an audit entry');
    return figures;
  });
}

/**
 * The shape of an answer: its fields and the types of their values. Ids, tokens and times differ.
 */
async function shapeOf(
  server: Server | undefined,
  path = '',
  { method, body }: { method: string; body: string },
  key: string,
): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server?.origin}${path}`, {
    method,
    headers,
    body: vary(body, Date.now() - dayMs, performance.now()),
  });
  const text = await answer.text();
  if (answer.status !== 200)
    throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
  return JSON.stringify(JSON.parse(text), (_, value) =>
    typeof value === 'object' ? value : typeof value,
  );
}
