import { fillOrganization } from './fill.ts';
import { fillSponsorship, type PartnerSize } from './fill-sponsorship.ts';
import { measureLatency } from './measure-latency.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import { atriumScript, startServer } from './servers.ts';
import { percentile } from './statistics.ts';

export type SponsorshipFigures = { question: string; ms: number; msMore: number; ratio: number };

const smallPartnerSize: PartnerSize = { campaigns: 50, links: 200, redemptions: 200 };
const features = ['partnerSponsorship', 'partnerSponsorshipApi'];
const monthsQuery = encodeURIComponent(
  '{ redemptionMonths { month redemptions amountEur byBillingStatus { billingStatus redemptions amountEur } } }',
);
const countsQuery = encodeURIComponent(
  '{ sponsorshipSummary { campaigns { live } sponsorships { running endingWithin30Days } billing { redemptions } } }',
);
const endingQuery = encodeURIComponent(
  '{ expiringRedemptions(days: 60, pageSize: 10) { totalCount nodes { id sponsoredUntil } } }',
);
const seatsQuery = encodeURIComponent('{ sponsorshipSummary { seats { given used } } }');

type PartnerCampaigns = { largeCampaign: string; typicalCampaign: string };

const apiPrefix = '/api/sponsorship/v1';
// The requested campaign holds half of all links and redemptions. The second campaign has a typical
// share: an equal part of the rest.
const queries = [
  { question: 'campaigns, first page', path: () => `${apiPrefix}/campaigns` },
  {
    question: 'campaigns, last page',
    path: (_: PartnerCampaigns, { campaigns }: PartnerSize) =>
      `${apiPrefix}/campaigns?page=${campaigns / 50}`,
  },
  { question: 'campaigns, active', path: () => `${apiPrefix}/campaigns?status=active` },
  ...(['links', 'redemptions'] as const).flatMap((list) => [
    {
      question: `${list}, first page`,
      path: ({ largeCampaign: campaign }: PartnerCampaigns) =>
        `${apiPrefix}/campaigns/${campaign}/${list}`,
    },
    {
      question: `${list}, middle page`,
      path: ({ largeCampaign: campaign }: PartnerCampaigns, size: PartnerSize) =>
        `${apiPrefix}/campaigns/${campaign}/${list}?page=${Math.ceil(size[list] / 400)}`,
    },
    {
      question: `${list}, last page`,
      path: ({ largeCampaign: campaign }: PartnerCampaigns, size: PartnerSize) =>
        `${apiPrefix}/campaigns/${campaign}/${list}?page=${size[list] / 200}`,
    },
  ]),
  {
    question: 'redemptions, middle page of a typical campaign',
    path: ({ typicalCampaign }: PartnerCampaigns) =>
      `${apiPrefix}/campaigns/${typicalCampaign}/redemptions?page=2&pageSize=25`,
  },
  {
    question: 'redemptions, unbilled',
    path: ({ largeCampaign: campaign }: PartnerCampaigns) =>
      `${apiPrefix}/campaigns/${campaign}/redemptions?billingStatus=UNBILLED&pageSize=25`,
  },
  { question: 'month table', path: () => `/graphql?query=${monthsQuery}` },
  { question: 'counts of the overview', path: () => `/graphql?query=${countsQuery}` },
  { question: 'sponsorships that end soon', path: () => `/graphql?query=${endingQuery}` },
  { question: 'seats of all sponsorships', path: () => `/graphql?query=${seatsQuery}` },
];

/**
 * Measures the cost of the pages of a small and a large partner. Both partners are in one database,
 * and the requests are sent one after the other.
 */
export async function compareSponsorship(
  postgres: BenchServer,
  largePartnerSize: PartnerSize,
  seed: number,
): Promise<SponsorshipFigures[]> {
  const database = await postgres.createDatabase('sponsorship');
  const smallPartner = await fillPartner(database, 'small', smallPartnerSize, seed);
  // The largest campaign of the small partner is about as large as a typical one of the large
  // partner.
  smallPartner.campaignIds.typicalCampaign = smallPartner.campaignIds.largeCampaign;
  const largePartner = await fillPartner(database, 'large', largePartnerSize, seed);
  await database.run('vacuum analyze');
  const server = await startServer(atriumScript, { DATABASE_URL: database.url });
  try {
    const figures: SponsorshipFigures[] = [];
    for (const { question, path } of queries) {
      const measurePage = async ({ key, campaignIds, size }: FilledPartner) =>
        percentile((await measureLatency(server.origin + path(campaignIds, size), key)).times, 50);
      const [ms, msMore] = [await measurePage(smallPartner), await measurePage(largePartner)];
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

type FilledPartner = { key: string; campaignIds: PartnerCampaigns; size: PartnerSize };

async function fillPartner(
  { run }: BenchDatabase,
  slug: string,
  size: PartnerSize,
  seed: number,
): Promise<FilledPartner> {
  const startedAt = performance.now();
  const { key } = await fillOrganization(run, { slug, users: 5, features, seed });
  const campaignIds = await fillSponsorship(run, slug, size);
  console.log(
    `  created ${size.redemptions} redemptions in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
  return { key, campaignIds, size };
}
