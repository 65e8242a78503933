import { fillWorkspace } from './fill.ts';
import { fillFiles } from './fill-files.ts';
import { load } from './load.ts';
import type { BenchServer } from './postgres.ts';
import { ours, type Server, startServer } from './servers.ts';
import { median } from './statistics.ts';

export type ListFigures = { perSecond: number; peerPerSecond: number; ratio: number };

/** The list of an assistant's fifty files beside the same written by hand with Fastify and `pg`, in alternating rounds. */
export async function compareFileLists(postgres: BenchServer, { rounds, seconds }: { rounds: number; seconds: number }, seed: number): Promise<ListFigures> {
  const { url, run } = await postgres.createDatabase('files');
  const { organizationId } = await fillWorkspace(run, { slug: 'files', users: 50, features: ['assistantFiles'], seed });
  const { key, assistantId } = await fillFiles(run, organizationId, 50);
  await run('vacuum analyze');
  const path = `/api/assistant-files/v1/assistants/${assistantId}/files`;
  const servers: Server[] = [];
  try {
    for (const script of [ours, 'test/bench/peers/files-pg.ts']) servers.push(await startServer(script, { DATABASE_URL: url }));
    const bodies = await Promise.all(servers.map(async ({ origin }) => (await fetch(origin + path, { headers: { authorization: `Bearer ${key}` } })).text()));
    if (bodies[0] !== bodies[1]) throw new Error(`the lists are not the same:\n${bodies[0]?.slice(0, 500)}\n${bodies[1]?.slice(0, 500)}`);
    const taken: number[][] = servers.map(() => []);
    for (const server of servers) await load({ server, key, paths: [path], seconds });
    for (let round = 1; round <= rounds; round += 1) {
      for (const [at, server] of servers.entries()) taken[at]?.push((await load({ server, key, paths: [path], seconds })).perSecond);
      console.log(`  files of an assistant, round ${round} of ${rounds}: ${taken.map((of) => Math.round(of.at(-1) ?? 0)).join(' / ')} a second`);
    }
    const [own = [], peer = []] = taken;
    return { perSecond: median(own), peerPerSecond: median(peer), ratio: median(own.map((rate, round) => rate / (peer[round] ?? Number.NaN))) };
  } finally {
    for (const server of servers) await server.stop();
  }
}
