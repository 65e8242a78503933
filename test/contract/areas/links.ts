import type { Answer } from '../answer.ts';
import { checkList, idOf } from '../check-list.ts';
import { checkFaultyBodies, checkSameRefusal } from '../check-refusals.ts';
import { matching, oneOf } from '../matchers.ts';
import { createPartner } from '../partner.ts';
import { checkShape } from '../report.ts';
import { link as linkShape } from '../shapes.ts';
import type { Suite } from '../suite.ts';

/** Links: parts 1, 2, 4.3 and 8, decisions D24, D27, D28. */
export async function checkLinks(suite: Suite): Promise<void> {
  const { check, prefix, send, addCleanup } = suite;
  const partner = await createPartner(suite, 'links of Partner Sponsorship');
  if (!partner) return;
  const { api } = partner;
  const campaign = await partner.campaign({ name: `${prefix} links`, durationMonths: 3 });
  const campaignId = campaign.textAt('campaign.id');
  const path = `/campaigns/${campaignId}/links`;

  const first = await api.post(path, {});
  const id = first.textAt('link.id');
  addCleanup(() => api.patch(`/links/${id}`, { isActive: false }));
  const token = first.textAt('link.token');
  check('D1 POST /campaigns/:campaignId/links answers 200', first, first.status, 200);
  checkShape(
    check,
    'Part 2, POST /campaigns/:campaignId/links: the link',
    first,
    first.at('link'),
    linkShape,
  );
  check(
    'D24 POST /campaigns/:campaignId/links: the first link without a name is Link 1',
    first,
    first.at('link.name'),
    'Link 1',
  );
  check(
    '4.3 POST /campaigns/:campaignId/links: completedRedemptionsCount is 0',
    first,
    first.at('link.completedRedemptionsCount'),
    0,
  );
  check(
    'Part 2, POST /campaigns/:campaignId/links: the link is active',
    first,
    first.at('link.isActive'),
    true,
  );
  check(
    'Part 2, POST /campaigns/:campaignId/links: hasPassword is false without one',
    first,
    first.at('link.hasPassword'),
    false,
  );
  check(
    'D24 POST /campaigns/:campaignId/links: the token is 32 base62 characters',
    first,
    token,
    matching(/^[0-9A-Za-z]{32}$/),
  );
  check(
    'Part 1 POST /campaigns/:campaignId/links: the url ends with the token',
    first,
    first.textAt('link.url').endsWith(`/auth?sponsored=${token}`),
    true,
  );
  const second = await api.post(path, {});
  check(
    'D24 POST /campaigns/:campaignId/links: the second link without a name is Link 2',
    second,
    second.at('link.name'),
    'Link 2',
  );
  check(
    'D24 POST /campaigns/:campaignId/links: each link has its own token',
    second,
    second.at('link.token') === token,
    false,
  );
  const namedLink = await api.post(path, {
    name: `  ${'n'.repeat(200)} `,
    password: 'four',
    isActive: false,
    token: 'mine',
    unknown: 1,
  });
  check(
    'Part 8 POST /campaigns/:campaignId/links: a name of 200 characters is accepted, trimmed',
    namedLink,
    namedLink.at('link.name'),
    'n'.repeat(200),
  );
  check(
    'Part 8 POST /campaigns/:campaignId/links: a password of 4 characters is accepted',
    namedLink,
    namedLink.at('link.hasPassword'),
    true,
  );
  check(
    'Part 2, POST /campaigns/:campaignId/links: the password is not in the answer',
    namedLink,
    namedLink.text.includes('four'),
    false,
  );
  check(
    'D6 POST /campaigns/:campaignId/links ignores a token',
    namedLink,
    namedLink.at('link.token'),
    matching(/^[0-9A-Za-z]{32}$/),
  );

  const faultyNames = [
    ['an empty name', { name: '' }, 'name'],
    ['a name of spaces', { name: '  ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name that is a number', { name: 3 }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['a name with a bidirectional override', { name: 'a\u202eb' }, 'name'],
  ] as const;
  const faultyPasswords = [
    ['a password of 3 characters', { password: 'abc' }, 'password'],
    ['an empty password', { password: '' }, 'password'],
    ['a password of 4 spaces', { password: '    ' }, 'password'],
    ['a password of 3 characters that are 6 units', { password: '💶💶💶' }, 'password'],
    ['a password that is a number', { password: 12_345 }, 'password'],
  ] as const;
  const switchOff = (created: Answer) =>
    api.patch(`/links/${created.at('link.id')}`, { isActive: false });
  await checkFaultyBodies(
    check,
    { name: 'POST /campaigns/:campaignId/links', api, method: 'POST', path, undo: switchOff },
    [...faultyNames, ...faultyPasswords],
  );
  const noCampaign = await api.post('/campaigns/unknown/links', {});
  check(
    'Part 7 POST /campaigns/:campaignId/links: an unknown campaign is 404',
    noCampaign,
    noCampaign.status,
    404,
  );

  const renamed = await api.patch(`/links/${id}`, { name: ' Renamed ' });
  checkShape(
    check,
    'Part 2, PATCH /links/:linkId: the link',
    renamed,
    renamed.at('link'),
    linkShape,
  );
  check('4.3 PATCH /links/:linkId changes only the name', renamed, renamed.at('link'), {
    ...Object(first.at('link')),
    name: 'Renamed',
  });
  const off = await api.patch(`/links/${id}`, { isActive: false });
  check('Part 3 PATCH /links/:linkId deactivates the link', off, off.at('link'), {
    ...Object(renamed.at('link')),
    isActive: false,
  });
  const unchanged = await api.patch(`/links/${id}`, {});
  check(
    'D6 PATCH /links/:linkId with an empty object is 200 and changes nothing',
    unchanged,
    [unchanged.status, unchanged.at('link')],
    [200, off.at('link')],
  );
  const ignored = await api.patch(`/links/${id}`, { hasPassword: true, token: 'x', unknown: [] });
  check(
    'D6 PATCH /links/:linkId ignores read-only and unknown fields',
    ignored,
    ignored.at('link'),
    off.at('link'),
  );
  await checkFaultyBodies(
    check,
    { name: 'PATCH /links/:linkId', api, method: 'PATCH', path: `/links/${id}` },
    [
      ...faultyNames,
      ['isActive null', { isActive: null }, 'isActive'],
      ['isActive "false"', { isActive: 'false' }, 'isActive'],
      ['both fields wrong', { name: '', isActive: 0 }, 'name', 'isActive'],
    ],
  );
  const offer = (linkToken: string) => sponsoredOffer(suite, linkToken);
  const inactive = await offer(token);
  check(
    'D27 a deactivated link is LINK_INACTIVE',
    inactive,
    inactive.at('errors.0.extensions.reason'),
    'LINK_INACTIVE',
  );
  const on = await api.patch(`/links/${id}`, { isActive: true });
  check('Part 3 PATCH /links/:linkId activates the link again', on, on.at('link.isActive'), true);
  const open = await offer(token);
  check(
    'D27 the link shows the campaign',
    open,
    [open.at('data.sponsoredOffer.campaignName'), open.at('data.sponsoredOffer.durationMonths')],
    [`${prefix} links`, 3],
  );

  for (const [description, password, hasPassword] of [
    ['sets a password', 'pass word', true],
    ['sets another password', '💶💶💶💶', true],
    ['removes the password with null', null, false],
  ] as const) {
    const changed = await api.patch(`/links/${id}/password`, { password });
    check(
      `4.3 PATCH /links/:linkId/password ${description}: success is true`,
      changed,
      [changed.status, changed.at('success')],
      [200, true],
    );
    check(
      `4.3 PATCH /links/:linkId/password ${description}: the password is not in the answer`,
      changed,
      Object.keys(Object(changed.body)).includes('password'),
      false,
    );
    const now = await api.patch(`/links/${id}`, {});
    check(
      `Part 3 PATCH /links/:linkId/password ${description}: hasPassword reflects it`,
      now,
      now.at('link.hasPassword'),
      hasPassword,
    );
    const offerNow = await offer(token);
    check(
      `D27 the link asks for its password once it ${description}`,
      offerNow,
      offerNow.at('data.sponsoredOffer.needsPassword'),
      hasPassword,
    );
  }
  await checkFaultyBodies(
    check,
    { name: 'PATCH /links/:linkId/password', api, method: 'PATCH', path: `/links/${id}/password` },
    [
      ['no password', {}, 'password'],
      ...faultyPasswords,
      ['a password that is false', { password: false }, 'password'],
    ],
  );
  for (const suffix of ['', '/password']) {
    const unknown = await api.patch(`/links/unknown${suffix}`, { password: null });
    check(
      `Part 7 PATCH /links/:linkId${suffix}: an unknown id is 404`,
      unknown,
      unknown.status,
      404,
    );
  }

  await checkList(check, {
    name: 'GET /campaigns/:campaignId/links',
    api,
    path,
    items: 'links',
    shape: linkShape,
    pageSizeDefault: 100,
    time: 'createdAt',
  });
  const list = await api.get(path);
  const expectedOrder = [namedLink, second, first].map((created) => created.at('link.id'));
  check(
    'D7 GET /campaigns/:campaignId/links: newest first',
    list,
    list
      .listAt('links')
      .map(idOf)
      .filter((listed) => expectedOrder.includes(listed)),
    expectedOrder,
  );
  const noList = await api.get('/campaigns/unknown/links');
  check(
    'Part 7 GET /campaigns/:campaignId/links: an unknown campaign is 404',
    noList,
    noList.status,
    404,
  );
  const order = await api.get('/campaigns/unknown/links?page=0');
  check('D2 GET /campaigns/:campaignId/links: 400 comes before 404', order, order.status, 400);

  const other = suite
    .api('other-org-key', 'links of another organization')
    ?.under('/api/sponsorship/v1');
  if (other && (await other.get('/campaigns?pageSize=1')).status !== 403)
    for (const [suffix, body] of [
      ['', { name: 'taken' }],
      ['/password', { password: null }],
    ] as const)
      checkSameRefusal(
        check,
        `D3 PATCH /links/:linkId${suffix} of another organization`,
        await other.patch(`/links/${id}${suffix}`, body),
        await other.patch(`/links/unknown${suffix}`, body),
      );

  await api.patch(`/campaigns/${campaignId}`, { isActive: false });
  const paused = await offer(token);
  check(
    'D27 a link of a deactivated campaign is CAMPAIGN_INACTIVE',
    paused,
    paused.at('errors.0.extensions.reason'),
    'CAMPAIGN_INACTIVE',
  );
  await api.patch(`/campaigns/${campaignId}`, {
    isActive: true,
    expiresAt: '2001-01-01T00:00:00Z',
  });
  const expired = await offer(token);
  check(
    'D27 a link of an expired campaign is CAMPAIGN_EXPIRED',
    expired,
    expired.at('errors.0.extensions.reason'),
    'CAMPAIGN_EXPIRED',
  );

  const page = await send('GET', `/auth?sponsored=${token}`);
  check(
    'D27 /auth?sponsored=<token> is a page',
    page,
    [page.status, page.headers.get('content-type')?.split(';')[0]],
    [200, 'text/html'],
  );
  for (const [method, unwantedPath] of [
    ['POST', '/validate'],
    ['GET', '/validate'],
    ['POST', '/redeem'],
    ['POST', `/links/${token}/validate`],
    ['POST', `/links/${token}/redeem`],
    ['GET', `/links/${token}`],
    ['POST', '/redemptions'],
  ] as const) {
    const refused = await api.send(method, unwantedPath, {
      json: method === 'POST' ? { token } : undefined,
    });
    check(
      `D28 ${method} ${unwantedPath.replace(token, ':token')} does not exist`,
      refused,
      refused.status,
      oneOf(404, 405),
    );
  }
}

/** The offer of a link, with the query that the page at /auth?sponsored=<token> sends. */
const sponsoredOffer = ({ send }: Suite, token: string) =>
  send('POST', '/graphql', {
    json: {
      query:
        'query ($token: String!) { sponsoredOffer(token: $token) { campaignName durationMonths includedSeats needsPassword } }',
      variables: { token },
    },
  });
