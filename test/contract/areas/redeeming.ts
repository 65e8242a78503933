import type { Answer } from '../answer.ts';
import { idOf } from '../check-list.ts';
import { not, time } from '../matchers.ts';
import { type Partner, partnerOf } from '../partner.ts';
import { checkShape } from '../report.ts';
import { redemption as redemptionShape } from '../shapes.ts';
import type { Suite } from '../suite.ts';
import { visitorOf } from '../visitor.ts';

/** Somebody opens a link, signs up and has a workspace: part 1, D26, D27, D29. */
export async function checkRedeeming(suite: Suite): Promise<void> {
  const { check, prefix, report, disposable } = suite;
  if (!disposable)
    return void report.leftOut.set(
      'redeeming a link',
      '--disposable is not given: the account and the workspace stay',
    );
  const partner = await partnerOf(suite, 'redeeming a link');
  if (!partner) return;
  const { api } = partner;
  const campaign = await partner.campaign({
    name: `${prefix} redeem`,
    durationMonths: 3,
    maxRedemptions: 1,
    includedSeats: 7,
    allowedEmailDomains: ['Redeem.Example'],
  });
  const campaignId = campaign.textAt('campaign.id');
  const made = await api.post(`/campaigns/${campaignId}/links`, { name: 'Open' });
  const token = made.textAt('link.token');
  const locked = (
    await api.post(`/campaigns/${campaignId}/links`, { name: 'Locked', password: 'sesame' })
  ).textAt('link.token');

  const stranger = visitorOf(suite);
  const refusal = (answer: Answer) => answer.at('errors.0.extensions.reason');
  const anonymous = await stranger.redeem(token);
  check(
    'D28 nobody redeems without an account',
    anonymous,
    anonymous.at('data.redeemSponsorship') ?? null,
    null,
  );
  await stranger.signUp(`${prefix}@elsewhere.example`);
  const elsewhere = await stranger.reserve(token);
  check(
    'D27 an address that no list allows is EMAIL_NOT_ALLOWED',
    elsewhere,
    refusal(elsewhere),
    'EMAIL_NOT_ALLOWED',
  );

  const guest = visitorOf(suite);
  const email = `${prefix}@redeem.example`;
  await guest.signUp(email);
  const closed = await guest.reserve(locked);
  check(
    'D27 a link with a password asks for it: PASSWORD_REQUIRED',
    closed,
    refusal(closed),
    'PASSWORD_REQUIRED',
  );
  const wrong = await guest.open(locked, 'open it');
  check('D27 another password is PASSWORD_WRONG', wrong, refusal(wrong), 'PASSWORD_WRONG');
  const right = await guest.open(locked, 'sesame');
  check(
    'D27 the password of the link opens it',
    right,
    right.at('data.openSponsoredOffer.needsPassword'),
    false,
  );

  const reserved = await guest.reserve(token);
  check(
    'D27 starting takes a reservation of 30 minutes',
    reserved,
    reserved.at('data.reserveSponsorship.heldUntil'),
    time,
  );
  const minutes =
    (Date.parse(String(reserved.at('data.reserveSponsorship.heldUntil'))) - Date.now()) / 60_000;
  check('D27 the reservation ends in 30 minutes', reserved, minutes > 28 && minutes < 31, true);
  const during = await counts(partner, campaignId);
  check(
    'D27 the reservation counts in reservedRedemptionsCount',
    during.answer,
    during.counts,
    [0, 1],
  );
  const redeemed = await guest.redeem(token);
  check(
    'Part 1 redeeming makes a workspace',
    redeemed,
    redeemed.at('data.redeemSponsorship.organization.id'),
    not(undefined),
  );
  const after = await counts(partner, campaignId);
  check(
    'D27 completing turns the reservation into a redemption',
    after.answer,
    after.counts,
    [1, 0],
  );
  const links = await api.get(`/campaigns/${campaignId}/links`);
  const open = links.listAt('links').find((link) => Object(link).token === token);
  check('Part 2 the link counts its redemption', links, Object(open).completedRedemptionsCount, 1);

  const list = await api.get(`/campaigns/${campaignId}/redemptions`);
  const [redemption] = list.listAt('redemptions');
  checkShape(check, 'Part 2, a new redemption', list, redemption, redemptionShape);
  const { redeemedAt, sponsoredUntil, ...rest } = Object(redemption);
  for (const [rule, field, value] of [
    ['D29', 'extendedUntil', null],
    ['D29', 'extensionReason', null],
    ['D26', 'includedSeats', 7],
    ['D23', 'pricing', null],
    ['Part 2', 'billingStatus', 'UNBILLED'],
    ['Part 2', 'billedAt', null],
    ['Part 2', 'billingBatchId', null],
    ['Part 2', 'organizationName', `${prefix} workspace`],
    ['Part 2', 'userEmail', email],
    ['Part 2', 'linkName', 'Open'],
  ] as const)
    check(`${rule} a new redemption: ${field}`, list, rest[field], value);
  check(
    'D9 a sponsorship lasts calendar months, clamped at the month’s end',
    list,
    sponsoredUntil,
    monthsAfter(String(redeemedAt), 3),
  );

  const twice = await guest.redeem(token);
  check(
    'D27 the same person redeems a campaign once',
    twice,
    (await counts(partner, campaignId)).counts,
    [1, 0],
  );
  const offer = await guest.offer(token);
  check(
    'D27 a campaign that is used up is CAMPAIGN_EXHAUSTED or, for who has used it, ALREADY_REDEEMED',
    offer,
    ['CAMPAIGN_EXHAUSTED', 'ALREADY_REDEEMED'].includes(String(refusal(offer))),
    true,
  );
  const late = visitorOf(suite);
  await late.signUp(`${prefix}-late@redeem.example`);
  const exhausted = await late.reserve(token);
  check(
    'D27 a campaign without a free place is CAMPAIGN_EXHAUSTED',
    exhausted,
    refusal(exhausted),
    'CAMPAIGN_EXHAUSTED',
  );

  const changed = await api.patch(`/campaigns/${campaignId}`, {
    includedSeats: 1,
    durationMonths: 6,
    maxRedemptions: 2,
  });
  check('D26 changed terms are accepted after redemptions', changed, changed.status, 200);
  const kept = await api.get(`/campaigns/${campaignId}/redemptions`);
  check(
    'D26 a redemption keeps its own copy of the terms',
    kept,
    kept.listAt('redemptions')[0],
    redemption,
  );
  const lowered = await api.patch(`/campaigns/${campaignId}`, { maxRedemptions: 1 });
  check(
    'D26 lowering a cap to what is used is accepted',
    lowered,
    [lowered.status, lowered.at('campaign.maxRedemptions')],
    [200, 1],
  );
  const id = idOf(redemption);
  const extended = await api.patch(`/redemptions/${id}/extend`, {
    newSponsoredUntil: monthsAfter(String(redeemedAt), 5),
  });
  check(
    'Part 2 the extended redemption names its campaign',
    extended,
    [extended.at('redemption.campaignId'), extended.at('redemption.campaignName')],
    [campaignId, `${prefix} redeem`],
  );
  check(
    'Part 2 the extended redemption names the token of its link',
    extended,
    extended.at('redemption.linkToken'),
    token,
  );
}

async function counts({ api }: Partner, campaignId: string) {
  const answer = await api.patch(`/campaigns/${campaignId}`, {});
  return {
    answer,
    counts: [
      answer.at('campaign.completedRedemptionsCount'),
      answer.at('campaign.reservedRedemptionsCount'),
    ],
  };
}

/** Calendar months, clamped at the month's end. */
function monthsAfter(time: string, months: number): string {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(
    Math.min(
      day,
      new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
    ),
  );
  return date.toISOString();
}
