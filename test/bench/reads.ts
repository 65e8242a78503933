import { fillWorkspace } from './fill.ts';
import { load, type Round } from './load.ts';
import type { BenchServer } from './postgres.ts';
import { assertSameAnswers, usersPath } from './same-answers.ts';
import { fastifyPg, fastifyPrisma, ours, type Server, startServer } from './servers.ts';
import { median } from './statistics.ts';

type Effort = { rounds: number; seconds: number; warmSeconds: number };
export type ReadFigures = { read: string; servers: ({ name: string } & Round)[]; ratios: { over: string; requests: number }[] };

const names = ['ours', 'fastify + pg', 'fastify + prisma'] as const;

/** The two hot reads against the peers, on 500 users: rounds take turns, so that a slow moment of the machine meets all. */
export async function compareReads(postgres: BenchServer, { rounds, seconds, warmSeconds }: Effort, seed: number): Promise<ReadFigures[]> {
  const { url, run } = await postgres.createDatabase('reads');
  const { key, organizationId } = await fillWorkspace(run, { slug: 'large', users: 500, seed });
  const { key: withoutFeature } = await fillWorkspace(run, { slug: 'plain', users: 5, features: [], seed });
  await run('vacuum analyze');
  const userIds = (
    await run<{ id: string }>('select user_id as id from memberships where organization_id = $1 order by md5(user_id) limit 50', [organizationId])
  ).map(({ id }) => id);

  const servers: Server[] = [];
  try {
    for (const script of [ours, fastifyPg, fastifyPrisma]) servers.push(await startServer(script, { DATABASE_URL: url }));
    const [own, ...peers] = servers;
    if (own) for (const peer of peers) console.log(`  ${await assertSameAnswers(own, peer, { key, withoutFeature }, userIds)} answers are the same`);
    const reads = [
      { read: 'GET users, 20 of 500', paths: [usersPath] },
      { read: 'GET users/:id', paths: userIds.map((id) => `${usersPath}/${id}`) },
    ];
    const figures: ReadFigures[] = [];
    for (const { read, paths } of reads) {
      for (const server of servers) await load({ server, key, paths, seconds: warmSeconds });
      const taken: Round[][] = servers.map(() => []);
      for (let round = 1; round <= rounds; round += 1) {
        for (const [at, server] of servers.entries()) taken[at]?.push(await load({ server, key, paths, seconds }));
        console.log(`  ${read}, round ${round} of ${rounds}: ${taken.map((of) => Math.round(of.at(-1)?.perSecond ?? 0)).join(' / ')} a second`);
      }
      figures.push(summary(read, taken));
    }
    return figures;
  } finally {
    for (const server of servers) await server.stop();
  }
}

function summary(read: string, taken: Round[][]): ReadFigures {
  const [own = [], ...peers] = taken;
  const middle = (rounds: Round[], figure: (round: Round) => number) => median(rounds.map(figure));
  return {
    read,
    servers: taken.map((rounds, at) => ({
      name: names[at] ?? '',
      perSecond: middle(rounds, (round) => round.perSecond),
      p50Ms: middle(rounds, (round) => round.p50Ms),
      p99Ms: middle(rounds, (round) => round.p99Ms),
      cpuMicros: middle(rounds, (round) => round.cpuMicros),
    })),
    ratios: peers.map((rounds, at) => ({
      over: names[at + 1] ?? '',
      requests: median(rounds.map((round, index) => (own[index]?.perSecond ?? Number.NaN) / round.perSecond)),
    })),
  };
}
