import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import type { BenchServer } from './postgres.ts';
import { assertSameAnswers, usersPath } from './same-answers.ts';
import { otherRestServers, withServers } from './servers.ts';

const peers = {
  'fastify + pg': 'test/peers/fastify-pg.ts',
  'fastify + prisma': 'test/peers/fastify-prisma.ts',
  ...otherRestServers,
};

/** Compares the two most frequent reads with other servers, on 500 users. */
export async function compareReads(
  postgres: BenchServer,
  effort: BenchEffort,
  seed: number,
): Promise<ComparisonFigures[]> {
  const { url, run } = await postgres.createDatabase('reads');
  const { key, organizationId } = await fillOrganization(run, { slug: 'large', users: 500, seed });
  const { key: withoutFeature } = await fillOrganization(run, {
    slug: 'plain',
    users: 5,
    features: [],
    seed,
  });
  await run('vacuum analyze');
  const userIds = (
    await run<{ id: string }>(
      'select user_id as id from memberships where organization_id = $1 order by md5(user_id) limit 50',
      [organizationId],
    )
  ).map(({ id }) => id);

  return withServers(peers, { DATABASE_URL: url }, async (servers) => {
    const [own, ...others] = servers;
    for (const { name, server } of others)
      console.log(
        `  ${own && (await assertSameAnswers(own.server, server, { key, withoutFeature }, userIds))} answers of ${name} equal ours`,
      );
    const figures: ComparisonFigures[] = [];
    for (const { read, paths } of [
      { read: 'GET users, 20 of 500', paths: [usersPath] },
      { read: 'GET users/:id', paths: userIds.map((id) => `${usersPath}/${id}`) },
    ])
      figures.push(await compareServers(servers, { read, key, paths }, effort));
    return figures;
  });
}
