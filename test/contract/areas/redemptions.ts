import type { Answer } from '../answer.ts';
import { checkList, idOf } from '../check-list.ts';
import { checkFaultyBodies, checkSameRefusal } from '../check-refusals.ts';
import type { Api } from '../client.ts';
import { time } from '../matchers.ts';
import { createPartner } from '../partner.ts';
import { checkShape } from '../report.ts';
import { extendedRedemption, redemption as redemptionShape } from '../shapes.ts';
import type { Suite } from '../suite.ts';

const billingStatuses = ['UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'] as const;

/** Redemptions: parts 2, 3, 4.3 and 7, decisions D25, D29, D48. */
export async function checkRedemptions(suite: Suite): Promise<void> {
  const { check, disposable, report } = suite;
  const partner = await createPartner(suite, 'redemptions of Partner Sponsorship');
  if (!partner) return;
  const { api } = partner;
  const unknownList = await api.get('/campaigns/unknown/redemptions');
  check(
    'Part 7 GET /campaigns/:campaignId/redemptions: an unknown campaign is 404',
    unknownList,
    unknownList.status,
    404,
  );
  const campaign = (await api.get('/campaigns?pageSize=100'))
    .listAt('campaigns')
    .toSorted(
      (a, b) => Object(b).completedRedemptionsCount - Object(a).completedRedemptionsCount,
    )[0];
  const path = `/campaigns/${idOf(campaign)}/redemptions`;
  const list = await checkList(check, {
    name: 'GET /campaigns/:campaignId/redemptions',
    api,
    path,
    items: 'redemptions',
    shape: redemptionShape,
    pageSizeDefault: 100,
    time: 'redeemedAt',
  });
  check(
    'Part 2, GET /campaigns: completedRedemptionsCount is the number of redemptions',
    list,
    list.at('total'),
    Object(campaign).completedRedemptionsCount,
  );
  let sumOfTotals = 0;
  for (const status of billingStatuses) {
    const filtered = await api.get(`${path}?billingStatus=${status}`);
    const rows = filtered.listAt('redemptions');
    sumOfTotals += Number(filtered.at('total'));
    check(
      `4.3 GET /campaigns/:campaignId/redemptions?billingStatus=${status} lists only those`,
      filtered,
      rows.filter((row) => Object(row).billingStatus !== status),
      [],
    );
    check(
      `4.3 GET /campaigns/:campaignId/redemptions?billingStatus=${status} counts only those`,
      filtered,
      rows.length,
      Math.min(100, Number(filtered.at('total'))),
    );
    if (status === 'UNBILLED')
      check(
        'Part 2 billedAt and billingBatchId are null while unbilled',
        filtered,
        rows.filter((row) => Object(row).billedAt !== null || Object(row).billingBatchId !== null),
        [],
      );
    if (status === 'BILLED')
      check(
        'D25 billedAt is set while billed',
        filtered,
        rows.filter((row) => !time.fits(Object(row).billedAt)),
        [],
      );
  }
  check(
    '4.3 GET /campaigns/:campaignId/redemptions: the four billing statuses together are all',
    list,
    sumOfTotals,
    list.at('total'),
  );
  for (const status of ['billed', 'PAID', '']) {
    const refused = await api.get(`${path}?billingStatus=${status}`);
    check(
      `D6 GET /campaigns/:campaignId/redemptions?billingStatus=${status} is 400`,
      refused,
      refused.status,
      400,
    );
  }
  const notExtended = list
    .listAt('redemptions')
    .filter((row) => Object(row).extendedUntil === null);
  check(
    'D29 extensionReason is null until the sponsorship is extended',
    list,
    notExtended.filter((row) => Object(row).extensionReason !== null),
    [],
  );

  for (const action of ['extend', 'billing']) {
    const body =
      action === 'extend'
        ? { newSponsoredUntil: '2099-01-01T00:00:00Z' }
        : { billingStatus: 'BILLED' };
    const unknown = await api.patch(`/redemptions/unknown/${action}`, body);
    check(
      `Part 7 PATCH /redemptions/:redemptionId/${action}: an unknown id is 404`,
      unknown,
      unknown.status,
      404,
    );
    const order = await api.patch(`/redemptions/unknown/${action}`, {});
    check(
      `D2 PATCH /redemptions/:redemptionId/${action}: 400 comes before 404`,
      order,
      order.status,
      400,
    );
  }
  const [redemption] = list.listAt('redemptions');
  const id = idOf(redemption);
  if (!disposable || typeof id !== 'string')
    return void report.skipped.set(
      'changes of redemptions',
      typeof id === 'string' ? '--disposable is not given' : 'the partner has no redemption',
    );
  const read = async () =>
    (await api.get(path)).listAt('redemptions').find((row) => idOf(row) === id);
  await checkBilling(suite, { api, id, read });
  await checkExtension(suite, { api, id, read });

  const other = suite
    .api('other-org-key', 'redemptions of another organization')
    ?.under('/api/sponsorship/v1');
  if (!other) return;
  for (const [action, body] of [
    ['extend', { newSponsoredUntil: '2099-01-01T00:00:00Z' }],
    ['billing', { billingStatus: 'WAIVED' }],
  ] as const)
    checkSameRefusal(
      check,
      `D3 PATCH /redemptions/:redemptionId/${action} of another organization`,
      await other.patch(`/redemptions/${id}/${action}`, body),
      await other.patch(`/redemptions/unknown/${action}`, body),
    );
}

type RedemptionTarget = { api: Api; id: string; read: () => Promise<unknown> };

async function checkBilling({ check }: Suite, { api, id, read }: RedemptionTarget): Promise<void> {
  const setBilling = (json: object): Promise<Answer> =>
    api.patch(`/redemptions/${id}/billing`, json);
  for (const previousStatus of billingStatuses)
    for (const nextStatus of billingStatuses) {
      await setBilling({ billingStatus: previousStatus });
      const moved = await setBilling({ billingStatus: nextStatus });
      check(
        `D25 PATCH /redemptions/:redemptionId/billing: from ${previousStatus} to ${nextStatus}`,
        moved,
        [moved.status, moved.at('success')],
        [200, true],
      );
    }
  await setBilling({ billingStatus: 'UNBILLED' });
  const billed = await setBilling({
    billingStatus: 'BILLED',
    billingAmount: 12.5,
    billingBatchId: 'contract-1',
  });
  const first = Object(await read());
  check('Part 3 billing: the status is set', billed, first.billingStatus, 'BILLED');
  check('Part 3 billing: the amount is stored when sent', billed, first.billingAmount, 12.5);
  check(
    'Part 3 billing: the batch is stored when sent',
    billed,
    first.billingBatchId,
    'contract-1',
  );
  check('D25 billing: entering BILLED sets billedAt', billed, first.billedAt, time);
  const again = await setBilling({ billingStatus: 'BILLED' });
  const second = Object(await read());
  check('D25 billing: billedAt is kept if already billed', again, second.billedAt, first.billedAt);
  check('D25 billing: an absent amount is unchanged', again, second.billingAmount, 12.5);
  check('D25 billing: an absent batch is unchanged', again, second.billingBatchId, 'contract-1');
  const free = await setBilling({ billingStatus: 'WAIVED', billingAmount: 0 });
  check('Part 8 billing: an amount of 0 is accepted', free, Object(await read()).billingAmount, 0);
  const cleared = await setBilling({ billingStatus: 'UNBILLED' });
  const third = Object(await read());
  check('D25 billing: entering UNBILLED clears billedAt', cleared, third.billedAt, null);
  check(
    'D25 billing: entering UNBILLED clears billingBatchId',
    cleared,
    third.billingBatchId,
    null,
  );
  check('D25 billing: entering UNBILLED keeps the amount', cleared, third.billingAmount, 0);
  await checkFaultyBodies(
    check,
    {
      name: 'PATCH /redemptions/:redemptionId/billing',
      api,
      method: 'PATCH',
      path: `/redemptions/${id}/billing`,
    },
    [
      ['no billingStatus', {}, 'billingStatus'],
      ['billingStatus null', { billingStatus: null }, 'billingStatus'],
      ['billingStatus in lower case', { billingStatus: 'billed' }, 'billingStatus'],
      ['billingStatus PAID', { billingStatus: 'PAID' }, 'billingStatus'],
      ['billingStatus 1', { billingStatus: 1 }, 'billingStatus'],
      ['a negative amount', { billingStatus: 'BILLED', billingAmount: -0.01 }, 'billingAmount'],
      ['an amount "5"', { billingStatus: 'BILLED', billingAmount: '5' }, 'billingAmount'],
      [
        'a batch that is a number',
        { billingStatus: 'BILLED', billingBatchId: 7 },
        'billingBatchId',
      ],
      [
        'three wrong fields',
        { billingStatus: 'x', billingAmount: -1, billingBatchId: {} },
        'billingStatus',
        'billingAmount',
        'billingBatchId',
      ],
    ],
  );
  const untouched = await setBilling({ billingStatus: 'UNBILLED' });
  check('D6 billing: refused changes change nothing', untouched, Object(await read()), third);
}

async function checkExtension(
  { check }: Suite,
  { api, id, read }: RedemptionTarget,
): Promise<void> {
  const extend = (json: object): Promise<Answer> => api.patch(`/redemptions/${id}/extend`, json);
  const before = Object(await read());
  const daysLater = (days: number) =>
    new Date(Date.parse(before.sponsoredUntil) + days * 86_400_000).toISOString();
  const equal = await extend({ newSponsoredUntil: before.sponsoredUntil });
  check('Part 3 extend: the same end is 400', equal, equal.status, 400);
  const earlierEnd = await extend({ newSponsoredUntil: daysLater(-1) });
  check('Part 3 extend: an earlier end is 400', earlierEnd, earlierEnd.status, 400);
  check(
    'Part 7 extend: the 400 names newSponsoredUntil',
    earlierEnd,
    earlierEnd.text.includes('newSponsoredUntil'),
    true,
  );
  check(
    'Part 3 extend: a refused extension changes nothing',
    earlierEnd,
    Object(await read()),
    before,
  );
  await checkFaultyBodies(
    check,
    {
      name: 'PATCH /redemptions/:redemptionId/extend',
      api,
      method: 'PATCH',
      path: `/redemptions/${id}/extend`,
    },
    [
      ['no newSponsoredUntil', {}, 'newSponsoredUntil'],
      ['newSponsoredUntil null', { newSponsoredUntil: null }, 'newSponsoredUntil'],
      [
        'newSponsoredUntil that is a number',
        { newSponsoredUntil: 4_000_000_000 },
        'newSponsoredUntil',
      ],
      [
        'newSponsoredUntil on 31 June',
        { newSponsoredUntil: '2098-06-31T00:00:00Z' },
        'newSponsoredUntil',
      ],
      [
        'newSponsoredUntil without a time',
        { newSponsoredUntil: '2098-06-30' },
        'newSponsoredUntil',
      ],
      ['a reason that is a number', { newSponsoredUntil: daysLater(1), reason: 3 }, 'reason'],
      ['two wrong fields', { newSponsoredUntil: 'x', reason: [] }, 'newSponsoredUntil', 'reason'],
    ],
  );

  const extended = await extend({ newSponsoredUntil: daysLater(1), reason: ' Agreed ' });
  check('D1 PATCH /redemptions/:redemptionId/extend answers 200', extended, extended.status, 200);
  checkShape(
    check,
    'Part 2, PATCH /redemptions/:redemptionId/extend: the redemption',
    extended,
    extended.at('redemption'),
    extendedRedemption,
  );
  check(
    'Part 3 extend: sponsoredUntil is the new end',
    extended,
    extended.at('redemption.sponsoredUntil'),
    daysLater(1),
  );
  check(
    'Part 3 extend: extendedUntil is the new end',
    extended,
    extended.at('redemption.extendedUntil'),
    daysLater(1),
  );
  check(
    'Part 3 extend: the reason is stored when sent',
    extended,
    extended.at('redemption.extensionReason'),
    'Agreed',
  );
  const listedRedemption = Object(await read());
  const {
    campaignId: _,
    campaignName: __,
    linkToken: ___,
    ...common
  } = Object(extended.at('redemption'));
  check('Part 3 extend: the list has the same values', extended, listedRedemption, common);
  const withoutReason = await extend({ newSponsoredUntil: daysLater(2) });
  check(
    'D48 extend: an absent reason is unchanged',
    withoutReason,
    withoutReason.at('redemption.extensionReason'),
    'Agreed',
  );
  const cleared = await extend({ newSponsoredUntil: daysLater(3), reason: null });
  check(
    'D48 extend: reason null clears the reason',
    cleared,
    [cleared.status, cleared.at('redemption.extensionReason')],
    [200, null],
  );
}
