import type { BenchDatabase } from './postgres.ts';

type RunStatement = BenchDatabase['run'];
export type PartnerSize = { campaigns: number; links: number; redemptions: number };

/**
 * Fills campaigns with links and redemptions of the last year, half of them in the first campaign.
 * The statements insert complete sets and run the triggers that count. Only the sponsored
 * organizations skip the triggers, because nothing but the redemptions refers to them.
 */
export async function fillSponsorship(
  run: RunStatement,
  slug: string,
  { campaigns, links, redemptions }: PartnerSize,
): Promise<{ largeCampaign: string; typicalCampaign: string }> {
  await run(
    `insert into campaigns (id, organization_id, name, duration_months, included_seats, pricing_model, pricing_amount_eur, pricing_unit, created_at)
     select $1 || '-campaign-' || i, $1, 'Campaign ' || i, 3, 10, 'FIXED', 49.9, 'PER_REDEMPTION', now() - interval '400 days' + i * interval '1 minute'
     from generate_series(1, $2::int) i`,
    [slug, campaigns],
  );
  await run(
    `insert into links (id, campaign_id, organization_id, name, token, created_at)
     select $1 || '-link-' || i, $1 || '-campaign-' || case when i <= $3::int / 2 then 1 else 2 + i % ($2::int - 1) end, $1, 'Link ' || i, md5($1 || i),
       now() - interval '390 days' + i * interval '1 second'
     from generate_series(1, $3::int) i`,
    [slug, campaigns, links],
  );
  await run(
    `insert into users (id, email, created_at)
     select $1 || '-user-' || i, 'redeemer' || i || '@' || $1 || '.test', now() - interval '400 days' from generate_series(1, $2::int / 2) i`,
    [slug, redemptions],
  );
  await run('set session_replication_role = replica');
  await run(
    `insert into organizations (id, slug, name, features, sponsored_until)
     select $1 || '-guest-' || j, $1 || '-guest-' || j, 'Guest ' || j, '{}', now() from generate_series(1, $2::int) j`,
    [slug, redemptions],
  );
  await run('set session_replication_role = origin');
  await run(
    `insert into redemptions (id, campaign_id, organization_id, link_id, user_id, sponsored_organization_id, reservation_id, duration_months, included_seats,
       pricing_model, pricing_amount_eur, pricing_unit, redeemed_at, sponsored_until, billing_status, billing_amount, billed_at)
     select $1 || '-redemption-' || j, $1 || '-campaign-' || case when first then 1 else 2 + j % ($2::int - 1) end, $1,
       $1 || '-link-' || case when first then 1 + j % ($3::int / 2) else $3::int / 2 + 1 + (j - $3::int / 2 - 1) % ($2::int - 1) end,
       $1 || '-user-' || 1 + (j - 1) % ($4::int / 2), $1 || '-guest-' || j, $1 || '-reservation-' || j, 3, 10, 'FIXED', 49.9, 'PER_REDEMPTION',
       at, at + interval '3 months', status, 49.9, case when status <> 'UNBILLED' then at + interval '1 day' end
     from (select j, j <= $4::int / 2 as first, now() - (j % 365) * interval '1 day' - j * interval '1 millisecond' as at,
             (array['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'])[1 + j % 4]::billing_status as status
           from generate_series(1, $4::int) j) numbered`,
    [slug, campaigns, links, redemptions],
  );
  await run(
    `update campaigns c set completed_redemptions = counted.total
     from (select campaign_id, count(*)::int as total from redemptions where organization_id = $1 group by 1) counted where c.id = counted.campaign_id`,
    [slug],
  );
  return { largeCampaign: `${slug}-campaign-1`, typicalCampaign: `${slug}-campaign-2` };
}
