import { fillOrganization } from './fill.ts';
import { fillSponsorship } from './fill-sponsorship.ts';
import { measureLatency } from './measure-latency.ts';
import type { BenchServer } from './postgres.ts';
import { atriumScript, startServer } from './servers.ts';
import { median, percentile } from './statistics.ts';

export type KeysetFigures = {
  list: string;
  rows: number;
  firstMs: number;
  middleMs: number;
  lastMs: number;
  /** The slowest of the three by the fastest. */
  ratio: number;
};

type List = {
  name: string;
  field: string;
  args: string;
  fields: string;
  rowsOf: (rows: number) => number;
};

const user = 'id email firstName lastName createdAt';
const redemption = 'id redeemedAt sponsoredUntil billingStatus organizationName userEmail';
const all = (rows: number) => rows;
const half = (rows: number) => rows / 2;

const users = (direction: string) => ({
  ...{ name: `users, ${direction}`, field: 'users', fields: user, rowsOf: all },
  args: `orderBy: { field: CREATED_AT, direction: ${direction} }`,
});
const redemptions = (order: string, direction: string) => ({
  ...{ name: `redemptions, ${order} ${direction}`, field: 'redemptions', rowsOf: all },
  args: `orderBy: { field: ${order}, direction: ${direction} }`,
  fields: redemption,
});
const lists: List[] = [
  users('DESC'),
  users('ASC'),
  redemptions('REDEEMED_AT', 'DESC'),
  redemptions('SPONSORED_UNTIL', 'ASC'),
  {
    name: 'redemptions of the largest campaign',
    field: 'redemptions',
    args: 'campaignId: "large-campaign-1"',
    fields: redemption,
    rowsOf: half,
  },
];

const pageSize = 20;
const rounds = 5;

/**
 * Measures the first, the middle and the last page of lists, each after the cursor of the row before
 * it. The pages take turns, so that what else the machine does slows all of them.
 */
export async function compareCursorPages(
  postgres: BenchServer,
  rows: number,
  seed: number,
): Promise<KeysetFigures[]> {
  const database = await postgres.createDatabase('keyset');
  const features = ['userManagement', 'partnerSponsorship', 'partnerSponsorshipApi'];
  const startedAt = performance.now();
  const { key } = await fillOrganization(database.run, {
    slug: 'large',
    users: rows,
    features,
    seed,
  });
  const size = { campaigns: 1_000, links: rows / 10, redemptions: rows };
  await fillSponsorship(database.run, 'large', size);
  await database.run('vacuum analyze');
  console.log(
    `  created ${rows} users and redemptions in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
  const server = await startServer(atriumScript, { DATABASE_URL: database.url });
  try {
    const figures: KeysetFigures[] = [];
    for (const list of lists) {
      const total = list.rowsOf(rows);
      const pages = await Promise.all(
        [1, total / pageSize / 2, total / pageSize].map((page) =>
          pathOfPage(list, page, { origin: server.origin, key }),
        ),
      );
      const times: number[][] = pages.map(() => []);
      for (let round = 0; round < rounds; round += 1)
        for (const [index, path] of pages.entries()) {
          const measured = await measureLatency(server.origin + path, key);
          times[index]?.push(percentile(measured.times, 50));
        }
      const medians = times.map(median);
      const [firstMs = Number.NaN, middleMs = Number.NaN, lastMs = Number.NaN] = medians;
      const ratio = Math.max(...medians) / Math.min(...medians);
      figures.push({ list: list.name, rows: total, firstMs, middleMs, lastMs, ratio });
      console.log(
        `  ${list.name}: ${medians.map((ms) => ms.toFixed(2)).join(', ')} ms of ${total}, ${ratio.toFixed(2)} ×`,
      );
    }
    return figures;
  } finally {
    await server.stop();
  }
}

const graphPath = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;

/** The path of a page by cursor: the cursor is the last one of the numbered page before it. */
async function pathOfPage(
  { field, args, fields }: List,
  page: number,
  { origin, key }: { origin: string; key: string },
): Promise<string> {
  const pathAfter = (after: string) =>
    graphPath(
      `{ ${field}(${args}, first: ${pageSize}${after}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
    );
  if (page === 1) return pathAfter('');
  const previous = `{ list: ${field}(${args}, page: ${page - 1}, pageSize: ${pageSize}) { pageInfo { endCursor } } }`;
  const answer = await fetch(origin + graphPath(previous), {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = Object(await answer.json());
  return pathAfter(`, after: "${data.list.pageInfo.endCursor}"`);
}
