import { type BenchEffort, type ComparisonFigures, compareServers } from './compare-servers.ts';
import { fillOrganization } from './fill.ts';
import type { BenchServer } from './postgres.ts';
import { usersPath } from './same-answers.ts';
import { withServers } from './servers.ts';

const peers = {
  'fastify + pg': 'test/peers/fastify-pg.ts',
  'fastify + prisma': 'test/peers/fastify-prisma.ts',
};

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
  return withServers(peers, { DATABASE_URL: url }, async (servers) => [
    await compareServers(
      servers,
      { read: `GET users, 20 of ${users.toLocaleString('en')}`, key, paths: [usersPath] },
      effort,
    ),
  ]);
}
