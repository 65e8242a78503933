import type { Answer } from '../answer.ts';
import { createBrowser } from '../browser.ts';
import { idOf } from '../check-list.ts';
import { not, time } from '../matchers.ts';
import { createPartner, type Partner } from '../partner.ts';
import { checkShape } from '../report.ts';
import { redemption as redemptionShape } from '../shapes.ts';
import type { Suite } from '../suite.ts';

/** A person opens a link, signs up and gets an organization: part 1, decisions D26, D27, D29. */
export async function checkRedeeming(suite: Suite): Promise<void> {
  const { check, prefix, report, disposable } = suite;
  if (!disposable)
    return void report.skipped.set(
      'redeeming a link',
      '--disposable is not given: the account and the organization cannot be removed',
    );
  const partner = await createPartner(suite, 'redeeming a link');
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
  const createdLink = await api.post(`/campaigns/${campaignId}/links`, { name: 'Open' });
  const token = createdLink.textAt('link.token');
  const lockedToken = (
    await api.post(`/campaigns/${campaignId}/links`, { name: 'Locked', password: 'sesame' })
  ).textAt('link.token');

  const guestBrowser = createBrowser(suite);
  const refusal = (answer: Answer) => answer.at('errors.0.extensions.reason');
  const anonymous = await guestBrowser.redeem(token);
  check(
    'D28 redeeming requires an account',
    anonymous,
    anonymous.at('data.redeemSponsorship.workspace') ?? null,
    null,
  );
  await guestBrowser.signUp(`${prefix}@elsewhere.example`);
  const elsewhere = await guestBrowser.reserve(token);
  check(
    'D27 an address that no list allows is EMAIL_NOT_ALLOWED',
    elsewhere,
    refusal(elsewhere),
    'EMAIL_NOT_ALLOWED',
  );

  const guest = createBrowser(suite);
  const email = `${prefix}@redeem.example`;
  await guest.signUp(email);
  const withoutPassword = await guest.reserve(lockedToken);
  check(
    'D27 a link with a password requires it: PASSWORD_REQUIRED',
    withoutPassword,
    refusal(withoutPassword),
    'PASSWORD_REQUIRED',
  );
  const wrongPassword = await guest.open(lockedToken, 'open it');
  check(
    'D27 a wrong password is PASSWORD_WRONG',
    wrongPassword,
    refusal(wrongPassword),
    'PASSWORD_WRONG',
  );
  const rightPassword = await guest.open(lockedToken, 'sesame');
  check(
    'D27 the password of the link opens it',
    rightPassword,
    rightPassword.at('data.openSponsoredOffer.offer.needsPassword'),
    false,
  );

  const reserved = await guest.reserve(token);
  check(
    'D27 starting creates a reservation',
    reserved,
    reserved.at('data.reserveSponsorship.offer.heldUntil'),
    time,
  );
  const minutes =
    (Date.parse(String(reserved.at('data.reserveSponsorship.offer.heldUntil'))) - Date.now()) /
    60_000;
  check('D27 the reservation ends in 30 minutes', reserved, minutes > 28 && minutes < 31, true);
  const during = await readCounts(partner, campaignId);
  check(
    'D27 the reservation counts in reservedRedemptionsCount',
    during.answer,
    during.counts,
    [0, 1],
  );
  const redeemed = await guest.redeem(token);
  check(
    'Part 1 redeeming creates an organization',
    redeemed,
    redeemed.at('data.redeemSponsorship.workspace.organization.id'),
    not(undefined),
  );
  const after = await readCounts(partner, campaignId);
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
    'D9 a sponsorship lasts calendar months, limited to the last day of the month',
    list,
    sponsoredUntil,
    monthsAfter(String(redeemedAt), 3),
  );

  const twice = await guest.redeem(token);
  check(
    'D27 the same person can redeem a campaign only once',
    twice,
    (await readCounts(partner, campaignId)).counts,
    [1, 0],
  );
  const offer = await guest.offer(token);
  check(
    'D27 an exhausted campaign is CAMPAIGN_EXHAUSTED or, for a person who redeemed it, ALREADY_REDEEMED',
    offer,
    ['CAMPAIGN_EXHAUSTED', 'ALREADY_REDEEMED'].includes(String(refusal(offer))),
    true,
  );
  const lateGuest = createBrowser(suite);
  await lateGuest.signUp(`${prefix}-late@redeem.example`);
  const exhausted = await lateGuest.reserve(token);
  check(
    'D27 a campaign without remaining redemptions is CAMPAIGN_EXHAUSTED',
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
  const listAfterChange = await api.get(`/campaigns/${campaignId}/redemptions`);
  check(
    'D26 a redemption keeps its own copy of the terms',
    listAfterChange,
    listAfterChange.listAt('redemptions')[0],
    redemption,
  );
  const lowered = await api.patch(`/campaigns/${campaignId}`, { maxRedemptions: 1 });
  check(
    'D26 a cap can be lowered to the number of redemptions',
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

async function readCounts({ api }: Partner, campaignId: string) {
  const answer = await api.patch(`/campaigns/${campaignId}`, {});
  return {
    answer,
    counts: [
      answer.at('campaign.completedRedemptionsCount'),
      answer.at('campaign.reservedRedemptionsCount'),
    ],
  };
}

/** Adds calendar months; the day is limited to the last day of the month. */
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
