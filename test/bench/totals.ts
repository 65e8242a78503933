import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import type { BenchServer } from './postgres.ts';
import { usersPath } from './same-answers.ts';
import { atriumScript, fastifyPg, fastifyPrisma, type Server, startServer } from './servers.ts';

/**
 * Compares a page with its total of a large organization with peers that count the rows for each
 * page.
 */
export async function compareTotals(
  postgres: BenchServer,
  { users, ...effort }: BenchEffort & { users: number },
  seed: number,
): Promise<ComparisonFigures[]> {
  const { url, run } = await postgres.createDatabase('totals');
  const { key } = await fillOrganization(run, { slug: 'large', users, seed });
  await run('vacuum analyze');
  const servers: Server[] = [];
  try {
    for (const script of [atriumScript, fastifyPg, fastifyPrisma])
      servers.push(await startServer(script, { DATABASE_URL: url }));
    const namedServers = servers.map((server, index) => ({
      name: ['ours', 'fastify + pg', 'fastify + prisma'][index] ?? '',
      server,
    }));
    return [
      await compareServers(
        namedServers,
        { read: `GET users, 20 of ${users.toLocaleString('en')}`, key, paths: [usersPath] },
        effort,
      ),
    ];
  } finally {
    for (const server of servers) await server.stop();
  }
}
