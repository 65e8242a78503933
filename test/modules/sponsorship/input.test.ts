import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestResponse, testApp } from '../../support/app.ts';
import { partnerIn, type TestPartner } from '../../support/partner.ts';
import { refusalBody } from '../../support/refusal-body.ts';

let app: TestApp;
let partner: TestPartner;
let campaignPath: string;
let linkPath: string;
let redemptionPath: string;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '1000000' });
  partner = await partnerIn(app);
  const campaign = await partner.campaign();
  const link = await partner.link(campaign.id);
  const redemption = await partner.redeem(link);
  campaignPath = `/campaigns/${campaign.id}`;
  linkPath = `/links/${link.id}`;
  redemptionPath = `/redemptions/${redemption.id}`;
});
afterAll(() => app.close());

/** All rows of campaigns, links and redemptions as text, and the number of audit entries. */
async function readState(): Promise<string> {
  const rows = await app.database.prisma.$queryRaw<{ print: string }[]>`
    select (select string_agg(c::text, '|' order by id) from campaigns c) || (select string_agg(l::text, '|' order by id) from links l)
      || (select string_agg(r::text, '|' order by id) from redemptions r) || (select count(*) from audit_entries) as print`;
  return rows[0]?.print ?? '';
}

/**
 * Expects 400 with the error body, with these fields in the message, without any of the input, and
 * without a change in the database.
 */
async function expectRejected(send: () => Promise<TestResponse>, ...fields: string[]) {
  const before = await readState();
  const { status, body, text } = await send();
  expect({ status, body }).toEqual({ status: 400, body: refusalBody('BAD_INPUT') });
  for (const field of fields) expect(body['message']).toMatch(new RegExp(`\\b${field}\\b`));
  expect(text).not.toContain('echo');
  expect(await readState()).toBe(before);
}

const nonTexts = [3, 0, true, false, [], {}, ['echo'], { echo: 1 }, { set: 'echo' }];
const nonIntegers = ['3', '', true, 1.5, [], [3], {}, { increment: 1 }, 1e300, -0.5];
const nonBooleans = ['true', 'false', 0, 1, '', [], {}, 'echo'];
const invalidTexts = [
  '',
  ' ',
  '\u00a0',
  'x'.repeat(201),
  'echo\u0000',
  '\ud800echo',
  'a\tb',
  'a\nb',
  'echo'.repeat(260_000),
];
const invalidTimes = [
  ...[3, 0, true, [], {}, '', 'echo', 'now', '2030', '2030-01-01', '1893456000000', 1893456000000],
  ...[
    '2030-01-01T00:00:00',
    '2030-01-01 00:00:00Z',
    '2030-02-30T00:00:00Z',
    '2029-02-29T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-00-01T00:00:00Z',
  ],
  ...[
    '2030-01-00T00:00:00Z',
    '2030-04-31T00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-01-01T00:60:00Z',
    '2030-01-01T00:00:60Z',
    '2030-01-01T00:00:00+24:00',
  ],
  ...[
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.000Z',
    '275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
  ],
  ...['2030-01-01T00:00:00Z\u0000', 'echo2030-01-01T00:00:00Z', 'Thu, 01 Jan 2030 00:00:00 GMT'],
];
const nonLists = [
  'echo',
  'echo@echo.example',
  3,
  true,
  {},
  { 0: 'echo' },
  [3],
  [null],
  [[]],
  [{}],
  [['echo.example']],
];
const invalidHosts = [
  ...[
    '',
    ' ',
    'echo',
    'echo.example.',
    '.echo.example',
    'echo..example',
    '@echo.example',
    'a@echo.example',
    '*.echo.example',
    'https://echo.example',
  ],
  ...[
    'echo.example/x',
    'echo.example:80',
    'echo_x.example',
    '-echo.example',
    'echo-.example',
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    'ech o.example',
    'echo\u0000.example',
  ],
  ...[`${'x'.repeat(64)}.example`, `${'x.'.repeat(130)}echo`, 'x'.repeat(100_000)],
];
const invalidAddresses = [
  '',
  'echo',
  'echo@',
  '@echo.example',
  'a@b@echo.example',
  'a@echo',
  'a@echo.example.',
  'a@echo.example/x',
  'a b@echo.example',
  'a@127.0.0.1',
];

const campaignFields: [string, unknown[]][] = [
  ['name', [...nonTexts, ...invalidTexts]],
  ['durationMonths', [...nonIntegers, 0, -1, 7, 2 ** 31]],
  ['maxRedemptions', [...nonIntegers, 0, -1, 2 ** 31, 2 ** 53]],
  ['includedSeats', [...nonIntegers, 0, -1, 1001, 2 ** 31]],
  ['expiresAt', invalidTimes],
  [
    'allowedEmailDomains',
    [
      ...nonLists,
      ...invalidHosts.map((host) => ['good.example', host]),
      Array.from({ length: 10_001 }, (_, index) => `host${index}.example`),
    ],
  ],
  [
    'allowedEmails',
    [
      ...nonLists,
      ...invalidAddresses.map((address) => ['good@good.example', address]),
      Array.from({ length: 10_001 }, (_, index) => `a${index}@b.example`),
    ],
  ],
];

describe.each(campaignFields)('%s of a campaign', (name, values) => {
  it('POST /campaigns rejects every invalid value of a campaign field', async () => {
    for (const value of values)
      await expectRejected(
        () =>
          partner.sponsor('POST', '/campaigns', {
            name: 'Input',
            durationMonths: 1,
            [name]: value,
          }),
        name,
      );
  });

  it('PATCH /campaigns/:campaignId rejects every invalid value of a campaign field', async () => {
    for (const value of values)
      await expectRejected(
        () => partner.sponsor('PATCH', campaignPath, { isActive: false, [name]: value }),
        name,
      );
  });
});

describe('required fields', () => {
  it('The fields name and durationMonths of a new campaign are required and cannot be null', async () => {
    await expectRejected(() => partner.sponsor('POST', '/campaigns', {}), 'name', 'durationMonths');
    await expectRejected(() => partner.sponsor('POST', '/campaigns'), 'name', 'durationMonths');
    await expectRejected(
      () => partner.sponsor('POST', '/campaigns', { name: null, durationMonths: null }),
      'name',
      'durationMonths',
    );
  });

  it.each(['name', 'durationMonths', 'isActive', 'allowedEmailDomains', 'allowedEmails'])(
    'The field %s of a campaign cannot be cleared (D6)',
    async (name) => {
      await expectRejected(
        () => partner.sponsor('PATCH', campaignPath, { maxRedemptions: 5, [name]: null }),
        name,
      );
    },
  );

  it.each(['name', 'isActive'])('The field %s of a link cannot be cleared (D6)', async (name) => {
    await expectRejected(() => partner.sponsor('PATCH', linkPath, { [name]: null }), name);
  });

  it('The fields newSponsoredUntil and billingStatus are required and cannot be null', async () => {
    for (const body of [{}, undefined, { newSponsoredUntil: null }, { reason: 'None' }])
      await expectRejected(
        () => partner.sponsor('PATCH', `${redemptionPath}/extend`, body),
        'newSponsoredUntil',
      );
    for (const body of [{}, undefined, { billingStatus: null }, { billingAmount: 3 }])
      await expectRejected(
        () => partner.sponsor('PATCH', `${redemptionPath}/billing`, body),
        'billingStatus',
      );
  });

  it('One response names every invalid field', async () => {
    const invalidFields = {
      name: 3,
      durationMonths: '1',
      maxRedemptions: 0,
      expiresAt: 'x',
      includedSeats: 0,
      allowedEmailDomains: 'x',
      allowedEmails: {},
    };
    await expectRejected(
      () => partner.sponsor('POST', '/campaigns', invalidFields),
      ...Object.keys(invalidFields),
    );
  });
});

describe('links', () => {
  it('Invalid values of name, password and isActive of a link are rejected', async () => {
    const invalidPasswords = [
      ...nonTexts,
      '',
      'abc',
      '😀😀😀',
      'x'.repeat(201),
      'echo\u0000',
      '\ud800echo',
      'echo'.repeat(260_000),
    ];
    for (const name of [...nonTexts, ...invalidTexts]) {
      await expectRejected(
        () => partner.sponsor('POST', `${campaignPath}/links`, { name }),
        'name',
      );
      await expectRejected(
        () => partner.sponsor('PATCH', linkPath, { name, isActive: false }),
        'name',
      );
    }
    for (const isActive of nonBooleans)
      await expectRejected(() => partner.sponsor('PATCH', linkPath, { isActive }), 'isActive');
    for (const password of invalidPasswords) {
      await expectRejected(
        () => partner.sponsor('POST', `${campaignPath}/links`, { password }),
        'password',
      );
      await expectRejected(
        () => partner.sponsor('PATCH', `${linkPath}/password`, { password }),
        'password',
      );
    }
  });
});

describe('redemptions', () => {
  it('The field newSponsoredUntil must be a valid time with a time zone', async () => {
    for (const newSponsoredUntil of invalidTimes)
      await expectRejected(
        () => partner.sponsor('PATCH', `${redemptionPath}/extend`, { newSponsoredUntil }),
        'newSponsoredUntil',
      );
  });

  it('The field reason must be a text of at most 2000 characters', async () => {
    for (const reason of [...nonTexts, 'x'.repeat(2001), 'echo\u0000', 'a\u001bb', '\ud800echo'])
      await expectRejected(
        () =>
          partner.sponsor('PATCH', `${redemptionPath}/extend`, {
            newSponsoredUntil: '2099-01-01T00:00:00Z',
            reason,
          }),
        'reason',
      );
  });

  it('Invalid values of billingStatus, billingAmount and billingBatchId are rejected', async () => {
    const bill = (fields: object) => () =>
      partner.sponsor('PATCH', `${redemptionPath}/billing`, { billingStatus: 'WAIVED', ...fields });
    for (const billingStatus of [
      ...nonTexts,
      '',
      'echo',
      'billed',
      'PAID',
      ' BILLED',
      'BILLED\u0000',
    ])
      await expectRejected(bill({ billingStatus }), 'billingStatus');
    for (const billingAmount of [null, '3', '', true, [], {}, -1, -0.01, 100_000_000_001, 1e300])
      await expectRejected(bill({ billingAmount }), 'billingAmount');
    for (const billingBatchId of [...nonTexts, ...invalidTexts, null])
      await expectRejected(bill({ billingBatchId }), 'billingBatchId');
  });

  it('An amount that JSON parses as Infinity is rejected', async () => {
    const headers = { authorization: `Bearer ${partner.key}`, 'content-type': 'application/json' };
    const path = `/api/sponsorship/v1${redemptionPath}/billing`;
    await expectRejected(
      () =>
        app.request('PATCH', path, {
          headers,
          body: '{"billingStatus":"BILLED","billingAmount":1e999}',
        }),
      'billingAmount',
    );
  });
});

describe('query parameters', () => {
  const lists = ['/campaigns', '/links', '/redemptions'] as const;
  const pathOf = (list: (typeof lists)[number]) =>
    list === '/campaigns' ? list : campaignPath + list;

  it.each(lists)(
    'Invalid values of page and pageSize of %s are rejected, and unknown parameters are ignored (D6)',
    async (list) => {
      for (const page of [
        '0',
        '-1',
        'abc',
        '1.5',
        '1e3',
        '',
        '01',
        '9007199254740993',
        'null',
        '1%00',
        '1&page=2',
      ])
        await expectRejected(() => partner.sponsor('GET', `${pathOf(list)}?page=${page}`), 'page');
      for (const pageSize of ['0', '-1', '101', '1000000', 'abc', '1.5', '', '1%00'])
        await expectRejected(
          () => partner.sponsor('GET', `${pathOf(list)}?pageSize=${pageSize}`),
          'pageSize',
        );
      for (const query of [
        'page=1&pageSize=1',
        'pageSize=100',
        'page=9007199254740991&pageSize=100',
        'sort=x&__proto__=1&organizationId=x',
      ])
        expect((await partner.sponsor('GET', `${pathOf(list)}?${query}`)).status).toBe(200);
    },
  );

  it('Unknown values of the parameters status and billingStatus are rejected', async () => {
    for (const status of [
      '',
      'Active',
      'ACTIVE',
      'deleted',
      'active,inactive',
      'active&status=all',
      '%00',
      'NEWEST',
    ])
      await expectRejected(() => partner.sponsor('GET', `/campaigns?status=${status}`), 'status');
    for (const billingStatus of [
      '',
      'billed',
      'PAID',
      'BILLED,WAIVED',
      'BILLED&billingStatus=WAIVED',
      '%00',
      'null',
    ])
      await expectRejected(
        () => partner.sponsor('GET', `${campaignPath}/redemptions?billingStatus=${billingStatus}`),
        'billingStatus',
      );
  });
});

describe('ids', () => {
  it('An id that cannot exist answers 404 on every path', async () => {
    for (const invalidId of [
      '%00',
      'x'.repeat(5000),
      '__proto__',
      '%F0%9F%98%80',
      "'--",
      '%25',
      '%20',
    ]) {
      for (const [method, path, body] of [
        ['PATCH', `/campaigns/${invalidId}`, {}],
        ['GET', `/campaigns/${invalidId}/links`, undefined],
        ['POST', `/campaigns/${invalidId}/links`, {}],
        ['PATCH', `/links/${invalidId}`, {}],
        ['PATCH', `/links/${invalidId}/password`, { password: null }],
        ['GET', `/campaigns/${invalidId}/redemptions`, undefined],
        [
          'PATCH',
          `/redemptions/${invalidId}/extend`,
          { newSponsoredUntil: '2099-01-01T00:00:00Z' },
        ],
        ['PATCH', `/redemptions/${invalidId}/billing`, { billingStatus: 'WAIVED' }],
      ] as const) {
        expect({
          invalidId,
          path,
          status: (await partner.sponsor(method, path, body)).status,
        }).toEqual({
          invalidId,
          path,
          status: 404,
        });
      }
    }
  });
});
