import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import type { BenchServer } from './postgres.ts';
import { assertSameAnswers, usersPath } from './same-answers.ts';
import { atriumScript, fastifyPg, fastifyPrisma, type Server, startServer } from './servers.ts';

const serverNames = ['ours', 'fastify + pg', 'fastify + prisma'] as const;

/** Compares the two most frequent reads with the hand-written servers, on 500 users. */
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

  const servers: Server[] = [];
  try {
    for (const script of [atriumScript, fastifyPg, fastifyPrisma])
      servers.push(await startServer(script, { DATABASE_URL: url }));
    const [ownServer, ...peers] = servers;
    if (ownServer)
      for (const peer of peers)
        console.log(
          `  ${await assertSameAnswers(ownServer, peer, { key, withoutFeature }, userIds)} answers are equal`,
        );
    const namedServers = servers.map((server, index) => ({
      name: serverNames[index] ?? '',
      server,
    }));
    const figures: ComparisonFigures[] = [];
    for (const { read, paths } of [
      { read: 'GET users, 20 of 500', paths: [usersPath] },
      { read: 'GET users/:id', paths: userIds.map((id) => `${usersPath}/${id}`) },
    ])
      figures.push(await compareServers(namedServers, { read, key, paths }, effort));
    return figures;
  } finally {
    for (const server of servers) await server.stop();
  }
}
