import { countSponsorships } from '../../../src/modules/sponsorship/count-sponsorships.ts';
import { findRedemptions } from '../../../src/modules/sponsorship/find-redemptions.ts';
import { listTeams } from '../../../src/modules/teams/list-teams.ts';
import { listMembers } from '../../../src/modules/users/list-members.ts';
import { readMember } from '../../../src/modules/users/read-member.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { fillWorkspace } from '../../bench/fill.ts';
import { fillSponsorship } from '../../bench/fill-sponsorship.ts';
import { atMost } from '../../bench/goals.ts';
import { median } from '../../bench/statistics.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { administratorUrl, isReachable, walledDatabase } from './wall-role.ts';

const [own, other, small] = ['wall-own', 'wall-other', 'wall-small'];
/**
 * What a search behind the wall grows with: no index finds a LIKE there, so all members of one's
 * own organization are looked at.
 */
const smallSize = { users: 1_000, redemptions: 500 };
const pauseless = { page: 1, pageSize: 20 };

/**
 * What the application reads, each with how many times what it costs without the wall it may cost
 * behind it.
 */
type Read = {
  organizationId: string;
  name: string;
  ratioMax: number;
  run(database: Database): Promise<unknown>;
};

const clock = () => new Date();
const readsOf = (userId: string): Read[] => [
  {
    organizationId: own,
    name: 'a page of users',
    ratioMax: 2,
    run: (database) => listMembers({ organizationId: own, ...pauseless }, { database }),
  },
  {
    organizationId: own,
    name: 'a user',
    ratioMax: 2,
    run: (database) => readMember({ organizationId: own, userId }, { database }),
  },
  {
    organizationId: own,
    name: 'the teams',
    ratioMax: 2,
    run: (database) => listTeams({ organizationId: own }, { database }),
  },
  {
    organizationId: own,
    name: 'a page of redemptions',
    ratioMax: 3,
    run: (database) =>
      findRedemptions({ organizationId: own, order: 'NEWEST', ...pauseless }, { database, clock }),
  },
  {
    organizationId: own,
    name: 'what ends soon',
    ratioMax: 3,
    run: (database) => countSponsorships({ organizationId: own }, { database, clock }),
  },
];

const searchesIn = (organizationId: string): Read[] => [
  {
    organizationId,
    name: 'a search for few users',
    ratioMax: 15,
    run: (database) =>
      listMembers({ organizationId, search: `.77@${organizationId}`, ...pauseless }, { database }),
  },
  {
    organizationId,
    name: 'a search for few redemptions',
    ratioMax: 10,
    run: (database) =>
      findRedemptions(
        { organizationId, order: 'NEWEST', search: 'redeemer77@', ...pauseless },
        { database, clock },
      ),
  },
];

export const proof: Proof = {
  claim: 'row-level security costs a superuser nothing, and any other role a bounded share',
  long: true,
  async attempt({ quick, say }) {
    if (!(await isReachable()))
      return [
        { figure: 'what row-level security costs', leftOut: `no Postgres at ${administratorUrl}` },
      ];
    const large = quick
      ? { users: 2_000, redemptions: 1_000 }
      : { users: 50_000, redemptions: 20_000 };
    const rounds = quick ? 20 : 60;
    const walled = await walledDatabase();
    try {
      const behind = await walled.open();
      await walled.administer(async (run) => {
        for (const [slug, size] of [
          [own, large],
          [other, large],
          [small, smallSize],
        ] as const) {
          await fillWorkspace(run, { slug, users: size.users, seed: 7 });
          await fillSponsorship(run, slug, {
            campaigns: 20,
            links: 100,
            redemptions: size.redemptions,
          });
          say(`${slug} has ${size.users} users and ${size.redemptions} redemptions`);
        }
        await run('vacuum (analyze)');
      });
      const [member] = await walled.administer((run) =>
        run<{ id: string }>(
          `select user_id as id from memberships where organization_id = '${own}' limit 1`,
        ),
      );
      const reads = readsOf(member?.id ?? '');
      const before = await walled.openAsAdministrator();
      // A connection tells what its role is.
      await before.sql`select 1`;
      const within = (organizationId: string) => behind.within({ organizationId, personId: '' });
      const findings: Finding[] = [
        none(
          'handles that a superuser needs besides its own',
          before.within({ organizationId: own, personId: '' }) === before ? 0 : 1,
        ),
      ];
      for (const { organizationId, name, ratioMax, run } of [...reads, ...searchesIn(small)]) {
        const [bare, safe] = await inTurn(
          rounds,
          () => run(before),
          () => run(within(organizationId)),
        );
        say(`${name}: ${bare.toFixed(2)} ms without the wall, ${safe.toFixed(2)} ms behind it`);
        findings.push(
          atMost(ratioMax, { figure: `${name} behind the wall`, value: safe / bare, unit: '×' }),
        );
      }
      await before.close();
      await behind.close();
      return findings;
    } finally {
      await walled.drop();
    }
  },
};

/** The medians of two that take turns, so that both meet the same moments of a busy machine. */
async function inTurn(
  rounds: number,
  ...runs: (() => Promise<unknown>)[]
): Promise<[number, number]> {
  const times: number[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, run] of runs.entries()) {
      const from = performance.now();
      await run();
      // The first ones prepare statements and fill caches.
      if (round >= rounds / 4) times[index]?.push(performance.now() - from);
    }
  }
  const [one = Number.NaN, two = Number.NaN] = times.map(median);
  return [one, two];
}
