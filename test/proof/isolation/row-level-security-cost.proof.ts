import { findRedemptions } from '../../../src/modules/sponsorship/redemptions/find-redemptions.ts';
import { countSponsorships } from '../../../src/modules/sponsorship/summary/count-sponsorships.ts';
import { listTeams } from '../../../src/modules/teams/list-teams.ts';
import { listMembers } from '../../../src/modules/users/list-members.ts';
import { readMember } from '../../../src/modules/users/read-member.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { numberedPage } from '../../../src/platform/database/lists/page.ts';
import { fillOrganization } from '../../bench/fill.ts';
import { fillSponsorship } from '../../bench/fill-sponsorship.ts';
import { atMost } from '../../bench/goals.ts';
import { median } from '../../bench/statistics.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import {
  administratorUrl,
  canCreateRoles,
  createRestrictedDatabase,
} from './restricted-database.ts';

const [ownSlug, otherSlug, smallSlug] = ['rls-own', 'rls-other', 'rls-small'];
/**
 * With row-level security Postgres cannot use an index for LIKE, so a search reads all members of
 * the organization. It is therefore measured in an organization of limited size.
 */
const smallSize = { users: 1_000, redemptions: 500 };
const allRows = { page: 1, size: undefined, needs: {} };
const firstPage = numberedPage(1, 20);

/** A read of the application. `ratioMax` limits its time relative to that without policies. */
type MeasuredRead = {
  organizationId: string;
  name: string;
  ratioMax: number;
  run(database: Database): Promise<unknown>;
};

const clock = () => new Date();
const commonReads = (userId: string): MeasuredRead[] => [
  {
    organizationId: ownSlug,
    name: 'a page of users',
    ratioMax: 2,
    run: (database) => listMembers({ organizationId: ownSlug }, firstPage, { database }),
  },
  {
    organizationId: ownSlug,
    name: 'a user',
    ratioMax: 2,
    run: (database) => readMember({ organizationId: ownSlug, userId }, { database }),
  },
  {
    organizationId: ownSlug,
    name: 'the teams',
    ratioMax: 2,
    run: (database) => listTeams({ organizationId: ownSlug }, allRows, { database }),
  },
  {
    organizationId: ownSlug,
    name: 'a page of redemptions',
    ratioMax: 3,
    run: (database) => findRedemptions({ organizationId: ownSlug }, firstPage, { database, clock }),
  },
  {
    organizationId: ownSlug,
    name: 'sponsorships that end soon',
    ratioMax: 3,
    run: (database) => countSponsorships({ organizationId: ownSlug }, { database, clock }),
  },
];

const searches = (organizationId: string): MeasuredRead[] => [
  {
    organizationId,
    name: 'a search for few users',
    ratioMax: 15,
    run: (database) =>
      listMembers({ organizationId, search: `.77@${organizationId}` }, firstPage, { database }),
  },
  {
    organizationId,
    name: 'a search for few redemptions',
    ratioMax: 10,
    run: (database) =>
      findRedemptions({ organizationId, search: 'redeemer77@' }, firstPage, { database, clock }),
  },
];

export const proof: Proof = {
  claim:
    'Row-level security costs a superuser nothing, and slows another role down by a limited factor',
  long: true,
  async measure({ quick, log }) {
    if (!(await canCreateRoles()))
      return [
        { figure: 'cost of row-level security', skipped: `no Postgres at ${administratorUrl}` },
      ];
    const large = quick
      ? { users: 2_000, redemptions: 1_000 }
      : { users: 50_000, redemptions: 20_000 };
    const rounds = quick ? 20 : 60;
    const restricted = await createRestrictedDatabase();
    try {
      const restrictedClient = await restricted.open();
      await restricted.administer(async (run) => {
        for (const [slug, size] of [
          [ownSlug, large],
          [otherSlug, large],
          [smallSlug, smallSize],
        ] as const) {
          await fillOrganization(run, { slug, users: size.users, seed: 7 });
          await fillSponsorship(run, slug, {
            campaigns: 20,
            links: 100,
            redemptions: size.redemptions,
          });
          log(`${slug} has ${size.users} users and ${size.redemptions} redemptions`);
        }
        await run('vacuum (analyze)');
      });
      const [member] = await restricted.administer((run) =>
        run<{ id: string }>(
          `select user_id as id from memberships where organization_id = '${ownSlug}' limit 1`,
        ),
      );
      const reads = commonReads(member?.id ?? '');
      const administratorClient = await restricted.openAsAdministrator();
      // The first statement finds out whether the role is a superuser.
      await administratorClient.sql`select 1`;
      const withTenantScope = (organizationId: string) =>
        restrictedClient.within({ organizationId, personId: '' });
      const findings: ProofFinding[] = [
        exactlyZero(
          'additional database clients for a superuser',
          administratorClient.within({ organizationId: ownSlug, personId: '' }) ===
            administratorClient
            ? 0
            : 1,
        ),
      ];
      for (const { organizationId, name, ratioMax, run } of [...reads, ...searches(smallSlug)]) {
        const [withoutMs, withMs] = await runConcurrently(
          rounds,
          () => run(administratorClient),
          () => run(withTenantScope(organizationId)),
        );
        log(
          `${name}: ${withoutMs.toFixed(2)} ms without row-level security, ${withMs.toFixed(2)} ms with it`,
        );
        findings.push(
          atMost(ratioMax, {
            figure: `${name}, time with row-level security relative to without`,
            value: withMs / withoutMs,
            unit: '×',
          }),
        );
      }
      await administratorClient.close();
      await restrictedClient.close();
      return findings;
    } finally {
      await restricted.drop();
    }
  },
};

/** The medians of two alternating reads, so that a busy machine affects both alike. */
async function runConcurrently(
  rounds: number,
  ...runs: (() => Promise<unknown>)[]
): Promise<[number, number]> {
  const times: number[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, run] of runs.entries()) {
      const from = performance.now();
      await run();
      // The first quarter prepares statements and fills caches.
      if (round >= rounds / 4) times[index]?.push(performance.now() - from);
    }
  }
  const [first = Number.NaN, second = Number.NaN] = times.map(median);
  return [first, second];
}
