import type { Answer } from '../answer.ts';
import { checkList, idOf } from '../check-list.ts';
import { checkFaultyBodies, checkSameRefusal, type FaultyBody } from '../check-refusals.ts';
import { createPartner, type Partner } from '../partner.ts';
import { checkShape } from '../report.ts';
import { campaign as campaignShape } from '../shapes.ts';
import type { Suite } from '../suite.ts';

const tooLong = 'x'.repeat(201);
const farFuture = '2099-01-31T10:00:00.000Z';

/** Invalid values of a campaign, which must be refused on creation and on change. */
const faultyTerms: readonly FaultyBody[] = [
  ['an empty name', { name: '' }, 'name'],
  ['a name of spaces', { name: '   ' }, 'name'],
  ['a name of 201 characters', { name: tooLong }, 'name'],
  ['a name that is a number', { name: 3 }, 'name'],
  ['a name that is null', { name: null }, 'name'],
  ['a name with a control character', { name: 'a\u0000b' }, 'name'],
  ['a name with a bidirectional override', { name: 'a\u202eb' }, 'name'],
  ['a name without a visible character', { name: '\u200b\u2060' }, 'name'],
  ['durationMonths 0', { durationMonths: 0 }, 'durationMonths'],
  ['durationMonths 7', { durationMonths: 7 }, 'durationMonths'],
  ['durationMonths 1.5', { durationMonths: 1.5 }, 'durationMonths'],
  ['durationMonths "3"', { durationMonths: '3' }, 'durationMonths'],
  ['durationMonths true', { durationMonths: true }, 'durationMonths'],
  ['durationMonths null', { durationMonths: null }, 'durationMonths'],
  ['maxRedemptions 0', { maxRedemptions: 0 }, 'maxRedemptions'],
  ['maxRedemptions -1', { maxRedemptions: -1 }, 'maxRedemptions'],
  ['maxRedemptions "5"', { maxRedemptions: '5' }, 'maxRedemptions'],
  ['maxRedemptions 2.5', { maxRedemptions: 2.5 }, 'maxRedemptions'],
  ['includedSeats 0', { includedSeats: 0 }, 'includedSeats'],
  ['includedSeats 1001', { includedSeats: 1001 }, 'includedSeats'],
  ['includedSeats "10"', { includedSeats: '10' }, 'includedSeats'],
  ['expiresAt that is not a date', { expiresAt: 'tomorrow' }, 'expiresAt'],
  ['expiresAt on 30 February', { expiresAt: '2028-02-30T10:00:00Z' }, 'expiresAt'],
  ['expiresAt without a time zone', { expiresAt: '2028-02-01T10:00:00' }, 'expiresAt'],
  ['expiresAt that is a number', { expiresAt: 1_800_000_000 }, 'expiresAt'],
  [
    'allowedEmailDomains that is a string',
    { allowedEmailDomains: 'a.example' },
    'allowedEmailDomains',
  ],
  ['allowedEmailDomains with a number', { allowedEmailDomains: [3] }, 'allowedEmailDomains'],
  [
    'allowedEmailDomains with an address',
    { allowedEmailDomains: ['a@b.example'] },
    'allowedEmailDomains',
  ],
  ['allowedEmailDomains null', { allowedEmailDomains: null }, 'allowedEmailDomains'],
  ['allowedEmails that is an object', { allowedEmails: {} }, 'allowedEmails'],
  ['allowedEmails with a domain', { allowedEmails: ['a.example'] }, 'allowedEmails'],
  ['allowedEmails null', { allowedEmails: null }, 'allowedEmails'],
  [
    'four wrong fields',
    { name: '', durationMonths: 9, includedSeats: 0, expiresAt: 'x' },
    'name',
    'durationMonths',
    'includedSeats',
    'expiresAt',
  ],
];

/** Campaigns: parts 2, 3, 4.3, 7 and 8, decisions D6, D9, D23, D26. */
export async function checkCampaigns(suite: Suite): Promise<void> {
  const { check, prefix } = suite;
  const partner = await createPartner(suite, 'campaigns of Partner Sponsorship');
  if (!partner) return;
  const { api, campaign: newCampaign } = partner;

  const created = await newCampaign({
    name: `  ${prefix} 💶 `,
    durationMonths: 1,
    pricing: { model: 'FREE', amountEur: 0, unit: 'NONE' },
    isActive: false,
    unknown: 1,
  });
  const id = created.textAt('campaign.id');
  check('D1 POST /campaigns answers 200', created, created.status, 200);
  checkShape(
    check,
    'Part 2, POST /campaigns: the campaign',
    created,
    created.at('campaign'),
    campaignShape,
  );
  for (const [rule, field, value] of [
    ['D9', 'name', `${prefix} 💶`],
    ['4.3', 'durationMonths', 1],
    ['Part 2', 'maxRedemptions', null],
    ['Part 2', 'expiresAt', null],
    ['Part 2', 'includedSeats', null],
    ['D27', 'allowedEmailDomains', []],
    ['D27', 'allowedEmails', []],
    ['D23', 'pricing', null],
    ['Part 2', 'isActive', true],
    ['Part 2', 'completedRedemptionsCount', 0],
    ['Part 2', 'reservedRedemptionsCount', 0],
    ['D6', 'unknown', undefined],
  ] as const)
    check(
      `${rule} POST /campaigns: ${field} of the new campaign`,
      created,
      created.at(`campaign.${field}`),
      value,
    );
  check(
    'D9 POST /campaigns: createdAt is now',
    created,
    Math.abs(Date.parse(created.textAt('campaign.createdAt')) - Date.now()) < 300_000,
    true,
  );

  const terms = {
    name: 'ä'.repeat(200 - prefix.length - 1),
    durationMonths: 6,
    maxRedemptions: 1,
    expiresAt: '2099-01-31T12:00:00+02:00',
    includedSeats: 1000,
    allowedEmailDomains: ['contract.example'],
    allowedEmails: ['somebody@contract.example'],
  };
  const fullCampaign = await newCampaign({ ...terms, name: `${prefix} ${terms.name}` });
  check(
    'Part 8 POST /campaigns: a name of 200 characters is accepted',
    fullCampaign,
    fullCampaign.at('campaign.name'),
    `${prefix} ${terms.name}`,
  );
  check(
    'Part 8 POST /campaigns: durationMonths 6 is accepted',
    fullCampaign,
    fullCampaign.at('campaign.durationMonths'),
    6,
  );
  check(
    'Part 8 POST /campaigns: maxRedemptions 1 is accepted',
    fullCampaign,
    fullCampaign.at('campaign.maxRedemptions'),
    1,
  );
  check(
    'Part 8 POST /campaigns: includedSeats 1000 is accepted',
    fullCampaign,
    fullCampaign.at('campaign.includedSeats'),
    1000,
  );
  check(
    'D9 POST /campaigns: expiresAt is returned in UTC with milliseconds',
    fullCampaign,
    fullCampaign.at('campaign.expiresAt'),
    farFuture,
  );
  check(
    '4.3 POST /campaigns: allowedEmailDomains are kept',
    fullCampaign,
    fullCampaign.at('campaign.allowedEmailDomains'),
    terms.allowedEmailDomains,
  );
  check(
    '4.3 POST /campaigns: allowedEmails are kept',
    fullCampaign,
    fullCampaign.at('campaign.allowedEmails'),
    terms.allowedEmails,
  );
  const noSeats = await newCampaign({
    name: `${prefix} no seats`,
    durationMonths: 2,
    includedSeats: null,
    expiresAt: '2001-01-01T00:00:00Z',
  });
  check(
    '4.3 POST /campaigns: includedSeats null is accepted',
    noSeats,
    [noSeats.status, noSeats.at('campaign.includedSeats')],
    [200, null],
  );
  check(
    'D26 POST /campaigns: expiresAt in the past is accepted',
    noSeats,
    noSeats.at('campaign.expiresAt'),
    '2001-01-01T00:00:00.000Z',
  );

  const switchOff = (created: Answer) =>
    api.patch(`/campaigns/${created.at('campaign.id')}`, { isActive: false });
  const target = {
    name: 'POST /campaigns',
    api,
    method: 'POST',
    path: '/campaigns',
    undo: switchOff,
  };
  await checkFaultyBodies(check, target, [
    ['no field', {}, 'name', 'durationMonths'],
    ['no name', { durationMonths: 3 }, 'name'],
    ['no durationMonths', { name: prefix }, 'durationMonths'],
    ...faultyTerms.map(
      ([description, body, ...fields]): FaultyBody => [
        description,
        { name: prefix, durationMonths: 3, ...Object(body) },
        ...fields,
      ],
    ),
  ]);

  await checkChanges(suite, partner, id);
  await checkListing(suite, partner, id);
  await checkForeign(suite, id);
}

async function checkChanges({ check, prefix }: Suite, { api }: Partner, id: string): Promise<void> {
  const path = `/campaigns/${id}`;
  const patch = (json: object) => api.patch(path, json);
  const before = await patch({});
  check('D6 PATCH /campaigns/:campaignId with an empty object is 200', before, before.status, 200);
  checkShape(
    check,
    'Part 2, PATCH /campaigns/:campaignId: the campaign',
    before,
    before.at('campaign'),
    campaignShape,
  );
  const same = await patch({});
  check(
    'D6 PATCH /campaigns/:campaignId with an empty object changes nothing',
    same,
    same.at('campaign'),
    before.at('campaign'),
  );
  const ignored = await patch({
    pricing: { model: 'FREE', amountEur: 0, unit: 'NONE' },
    completedRedemptionsCount: 9,
    id: 'other',
    unknown: 1,
  });
  check(
    'D23 PATCH /campaigns/:campaignId ignores pricing and read-only fields',
    ignored,
    ignored.at('campaign'),
    before.at('campaign'),
  );

  for (const [field, value, expected] of [
    ['name', `${prefix} renamed`, `${prefix} renamed`],
    ['durationMonths', 6, 6],
    ['maxRedemptions', 100_000, 100_000],
    ['expiresAt', '2099-01-31T10:00:00Z', farFuture],
    ['isActive', false, false],
    ['isActive', true, true],
    ['includedSeats', 1, 1],
    ['allowedEmailDomains', ['b.example', 'a.example'], ['b.example', 'a.example']],
    ['allowedEmails', ['b@a.example'], ['b@a.example']],
    ['maxRedemptions', null, null],
    ['expiresAt', null, null],
    ['includedSeats', null, null],
    ['allowedEmailDomains', [], []],
    ['allowedEmails', [], []],
  ] as const) {
    const previous = Object((await patch({})).at('campaign'));
    const changed = await patch({ [field]: value });
    const name =
      `PATCH /campaigns/:campaignId with ${field} ${value === null ? 'null' : JSON.stringify(value)}`.replace(
        prefix,
        '…',
      );
    check(`4.3 ${name} sets it`, changed, changed.at(`campaign.${field}`), expected);
    const now = Object(changed.at('campaign'));
    check(
      `D6 ${name} leaves every other field`,
      changed,
      { ...now, [field]: 0, updatedAt: 0 },
      { ...previous, [field]: 0, updatedAt: 0 },
    );
    check(`Part 3 ${name} changes updatedAt`, changed, now.updatedAt > previous.updatedAt, true);
  }
  const target = { name: 'PATCH /campaigns/:campaignId', api, method: 'PATCH', path };
  await checkFaultyBodies(check, target, [
    ...faultyTerms,
    ['isActive null', { isActive: null }, 'isActive'],
    ['isActive "true"', { isActive: 'true' }, 'isActive'],
    ['isActive 1', { isActive: 1 }, 'isActive'],
  ]);
  const refusedChange = await patch({ name: `${prefix} kept`, durationMonths: 9 });
  const after = await patch({});
  check(
    'D6 PATCH /campaigns/:campaignId: a refused change changes nothing',
    after,
    [refusedChange.status, after.at('campaign.name')],
    [400, `${prefix} renamed`],
  );
  const unknown = await api.patch('/campaigns/unknown', {});
  check('Part 7 PATCH /campaigns/:campaignId: an unknown id is 404', unknown, unknown.status, 404);
  const order = await api.patch('/campaigns/unknown', { durationMonths: 9 });
  check('D2 PATCH /campaigns/:campaignId: 400 comes before 404', order, order.status, 400);
}

async function checkListing({ check }: Suite, { api }: Partner, id: string): Promise<void> {
  const list = {
    name: 'GET /campaigns',
    api,
    path: '/campaigns',
    items: 'campaigns',
    shape: campaignShape,
    pageSizeDefault: 50,
    time: 'createdAt',
  };
  const all = await checkList(check, list);
  const alone = await api.patch(`/campaigns/${id}`, { isActive: false });
  const inactive = await api.get('/campaigns?status=inactive&pageSize=100');
  check(
    '4.3 GET /campaigns?status=inactive lists only inactive campaigns',
    inactive,
    inactive
      .listAt('campaigns')
      .filter((item) => Object(item).isActive !== false)
      .map(idOf),
    [],
  );
  check(
    '4.3 GET /campaigns?status=inactive has the deactivated campaign',
    inactive,
    inactive.listAt('campaigns').find((item) => idOf(item) === id),
    alone.at('campaign'),
  );
  await api.patch(`/campaigns/${id}`, { isActive: true });
  const active = await api.get('/campaigns?status=active&pageSize=100');
  check(
    '4.3 GET /campaigns?status=active lists only active campaigns',
    active,
    active
      .listAt('campaigns')
      .filter((item) => Object(item).isActive !== true)
      .map(idOf),
    [],
  );
  check(
    '4.3 GET /campaigns?status=active has the activated campaign',
    active,
    active.listAt('campaigns').map(idOf).includes(id),
    true,
  );
  const allByStatus = await api.get('/campaigns?status=all&pageSize=100');
  check(
    '4.3 GET /campaigns: status is all by default',
    allByStatus,
    allByStatus.listAt('campaigns').map(idOf),
    all.listAt('campaigns').map(idOf),
  );
  const inactiveNow = await api.get('/campaigns?status=inactive');
  check(
    '4.3 GET /campaigns: active and inactive together are all',
    allByStatus,
    Number(active.at('total')) + Number(inactiveNow.at('total')),
    allByStatus.at('total'),
  );
  for (const status of ['ACTIVE', 'paused', '']) {
    const refused = await api.get(`/campaigns?status=${status}`);
    check(`D6 GET /campaigns?status=${status} is 400`, refused, refused.status, 400);
    check(
      `D6 GET /campaigns?status=${status} names status`,
      refused,
      String(refused.at('message')).includes('status'),
      true,
    );
  }
}

async function checkForeign(suite: Suite, id: string): Promise<void> {
  const { check } = suite;
  const other = suite
    .api('other-org-key', 'campaigns of another organization')
    ?.under('/api/sponsorship/v1');
  if (!other || (await other.get('/campaigns?pageSize=1')).status === 403) return;
  checkSameRefusal(
    check,
    'D3 PATCH /campaigns/:campaignId of another organization',
    await other.patch(`/campaigns/${id}`, { name: 'taken' }),
    await other.patch('/campaigns/unknown', { name: 'taken' }),
  );
  for (const list of ['links', 'redemptions'])
    checkSameRefusal(
      check,
      `D3 GET /campaigns/:campaignId/${list} of another organization`,
      await other.get(`/campaigns/${id}/${list}`),
      await other.get(`/campaigns/unknown/${list}`),
    );
  checkSameRefusal(
    check,
    'D3 POST /campaigns/:campaignId/links of another organization',
    await other.post(`/campaigns/${id}/links`, {}),
    await other.post('/campaigns/unknown/links', {}),
  );
  const list = await other.get('/campaigns?pageSize=100');
  check(
    'D3 GET /campaigns does not list campaigns of another organization',
    list,
    list.listAt('campaigns').map(idOf).includes(id),
    false,
  );
}
