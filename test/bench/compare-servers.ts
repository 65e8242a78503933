import { type LoadRequest, load, type RoundFigures } from './load.ts';
import type { NamedServer } from './servers.ts';
import { median } from './statistics.ts';

export type BenchEffort = { rounds: number; seconds: number; warmSeconds: number };
export type ComparisonFigures = {
  read: string;
  servers: ({ name: string } & RoundFigures)[];
  ratios: { over: string; requests: number }[];
};

/**
 * Sends the same load to each server in alternating rounds, so that a slow moment of the machine
 * affects all of them. The first server is ours. A server can have a payload of its own.
 */
export async function compareServers(
  servers: readonly (NamedServer & Pick<LoadRequest, 'payload'>)[],
  { read, ...request }: LoadRequest & { read: string },
  { rounds, seconds, warmSeconds }: BenchEffort,
): Promise<ComparisonFigures> {
  const loadOf = ({ server, payload }: (typeof servers)[number], seconds: number) =>
    load({ server, ...request, ...(payload && { payload }), seconds });
  for (const server of servers) await loadOf(server, warmSeconds);
  const roundsByServer: RoundFigures[][] = servers.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, server] of servers.entries())
      roundsByServer[index]?.push(await loadOf(server, seconds));
    console.log(
      `  ${read}, round ${round} of ${rounds}: ${roundsByServer.map((rounds) => Math.round(rounds.at(-1)?.perSecond ?? 0)).join(' / ')} a second`,
    );
  }
  const [ownRounds = [], ...peerRounds] = roundsByServer;
  const medianOf = (rounds: RoundFigures[], figure: (round: RoundFigures) => number) =>
    median(rounds.map(figure));
  return {
    read,
    servers: roundsByServer.map((rounds, index) => ({
      name: servers[index]?.name ?? '',
      perSecond: medianOf(rounds, (round) => round.perSecond),
      p50Ms: medianOf(rounds, (round) => round.p50Ms),
      p99Ms: medianOf(rounds, (round) => round.p99Ms),
      cpuMicros: medianOf(rounds, (round) => round.cpuMicros),
    })),
    ratios: peerRounds.map((rounds, index) => ({
      over: servers[index + 1]?.name ?? '',
      requests: median(
        rounds.map((round, index) => (ownRounds[index]?.perSecond ?? Number.NaN) / round.perSecond),
      ),
    })),
  };
}
