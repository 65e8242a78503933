import { askInTurn } from './ask-in-turn.ts';
import { fillWorkspace } from './fill.ts';
import { fillSponsorship, type PartnerSize } from './fill-sponsorship.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import { ours, startServer } from './servers.ts';
import { percentile } from './statistics.ts';

export type SponsorshipFigures = { question: string; ms: number; msMore: number; ratio: number };

const small: PartnerSize = { campaigns: 50, links: 200, redemptions: 200 };
const features = ['partnerSponsorship', 'partnerSponsorshipApi'];
const months = encodeURIComponent(
  '{ redemptionMonths { month redemptions amountEur byBillingStatus { billingStatus redemptions amountEur } } }',
);

type Place = { campaign: string; usual: string };

const api = '/api/sponsorship/v1';
// The campaign that is asked for holds half of all. The second one has an equal share of the rest,
// as most have.
const questions = [
  { question: 'campaigns, first page', path: () => `${api}/campaigns` },
  {
    question: 'campaigns, last page',
    path: (_: Place, { campaigns }: PartnerSize) => `${api}/campaigns?page=${campaigns / 50}`,
  },
  { question: 'campaigns, active', path: () => `${api}/campaigns?status=active` },
  ...(['links', 'redemptions'] as const).flatMap((list) => [
    {
      question: `${list}, first page`,
      path: ({ campaign }: Place) => `${api}/campaigns/${campaign}/${list}`,
    },
    {
      question: `${list}, middle page`,
      path: ({ campaign }: Place, size: PartnerSize) =>
        `${api}/campaigns/${campaign}/${list}?page=${Math.ceil(size[list] / 400)}`,
    },
    {
      question: `${list}, last page`,
      path: ({ campaign }: Place, size: PartnerSize) =>
        `${api}/campaigns/${campaign}/${list}?page=${size[list] / 200}`,
    },
  ]),
  {
    question: 'redemptions, middle page of a usual campaign',
    path: ({ usual }: Place) => `${api}/campaigns/${usual}/redemptions?page=2&pageSize=25`,
  },
  {
    question: 'redemptions, unbilled',
    path: ({ campaign }: Place) =>
      `${api}/campaigns/${campaign}/redemptions?billingStatus=UNBILLED&pageSize=25`,
  },
  { question: 'month table', path: () => `/graphql?query=${months}` },
];

/**
 * What a partner's pages cost when it has more of everything. Both partners are in one database,
 * and asked one after the other.
 */
export async function compareSponsorship(
  postgres: BenchServer,
  large: PartnerSize,
  seed: number,
): Promise<SponsorshipFigures[]> {
  const database = await postgres.createDatabase('sponsorship');
  const few = await fill(database, 'small', small, seed);
  // What is the largest in the small partner is no more than usual in the large one.
  few.place.usual = few.place.campaign;
  const many = await fill(database, 'large', large, seed);
  await database.run('vacuum analyze');
  const server = await startServer(ours, { DATABASE_URL: database.url });
  try {
    const figures: SponsorshipFigures[] = [];
    for (const { question, path } of questions) {
      const ask = async ({ key, place, size }: Filled) =>
        percentile((await askInTurn(server.origin + path(place, size), key)).times, 50);
      const [ms, msMore] = [await ask(few), await ask(many)];
      console.log(
        `  ${question}: ${ms.toFixed(2)} ms in the small partner, ${msMore.toFixed(2)} ms in the large one`,
      );
      figures.push({ question, ms, msMore, ratio: msMore / ms });
    }
    return figures;
  } finally {
    await server.stop();
  }
}

type Filled = { key: string; place: Place; size: PartnerSize };

async function fill(
  { run }: BenchDatabase,
  slug: string,
  size: PartnerSize,
  seed: number,
): Promise<Filled> {
  const startedAt = performance.now();
  const { key } = await fillWorkspace(run, { slug, users: 5, features, seed });
  const place = await fillSponsorship(run, slug, size);
  console.log(
    `  made ${size.redemptions} redemptions in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
  return { key, place, size };
}
