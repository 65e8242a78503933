import { fillWorkspace } from './fill.ts';
import type { BenchServer } from './postgres.ts';
import { usersPath } from './same-answers.ts';
import { fastifyPg, fastifyPrisma, ours, type Server, startServer } from './servers.ts';
import { type Effort, type TurnFigures, takeTurns } from './turns.ts';

/** A page with its total of a large organization, beside peers that count for each page. */
export async function compareTotals(
  postgres: BenchServer,
  { users, ...effort }: Effort & { users: number },
  seed: number,
): Promise<TurnFigures[]> {
  const { url, run } = await postgres.createDatabase('totals');
  const { key } = await fillWorkspace(run, { slug: 'large', users, seed });
  await run('vacuum analyze');
  const servers: Server[] = [];
  try {
    for (const script of [ours, fastifyPg, fastifyPrisma])
      servers.push(await startServer(script, { DATABASE_URL: url }));
    const named = servers.map((server, at) => ({
      name: ['ours', 'fastify + pg', 'fastify + prisma'][at] ?? '',
      server,
    }));
    return [
      await takeTurns(
        named,
        { read: `GET users, 20 of ${users.toLocaleString('en')}`, key, paths: [usersPath] },
        effort,
      ),
    ];
  } finally {
    for (const server of servers) await server.stop();
  }
}
