import { type Asked, load, type Round } from './load.ts';
import type { Server } from './servers.ts';
import { median } from './statistics.ts';

export type Effort = { rounds: number; seconds: number; warmSeconds: number };
export type TurnFigures = {
  read: string;
  servers: ({ name: string } & Round)[];
  ratios: { over: string; requests: number }[];
};
export type Named = { name: string; server: Server };

/**
 * The same asked of each server in alternating rounds, so that a slow moment of the machine meets
 * all. The first is ours.
 */
export async function takeTurns(
  servers: readonly Named[],
  { read, ...asked }: Asked & { read: string },
  { rounds, seconds, warmSeconds }: Effort,
): Promise<TurnFigures> {
  for (const { server } of servers) await load({ server, ...asked, seconds: warmSeconds });
  const taken: Round[][] = servers.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [at, { server }] of servers.entries())
      taken[at]?.push(await load({ server, ...asked, seconds }));
    console.log(
      `  ${read}, round ${round} of ${rounds}: ${taken.map((of) => Math.round(of.at(-1)?.perSecond ?? 0)).join(' / ')} a second`,
    );
  }
  const [own = [], ...peers] = taken;
  const middle = (of: Round[], figure: (round: Round) => number) => median(of.map(figure));
  return {
    read,
    servers: taken.map((of, at) => ({
      name: servers[at]?.name ?? '',
      perSecond: middle(of, (round) => round.perSecond),
      p50Ms: middle(of, (round) => round.p50Ms),
      p99Ms: middle(of, (round) => round.p99Ms),
      cpuMicros: middle(of, (round) => round.cpuMicros),
    })),
    ratios: peers.map((of, at) => ({
      over: servers[at + 1]?.name ?? '',
      requests: median(
        of.map((round, index) => (own[index]?.perSecond ?? Number.NaN) / round.perSecond),
      ),
    })),
  };
}
