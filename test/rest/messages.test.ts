import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

let app: TestApp;
let partner: TestPartner;
let campaign: string;
let redemption: { id: string };
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000' });
  partner = await partnerIn(app);
  const { id } = await partner.campaign();
  campaign = `/campaigns/${id}`;
  redemption = await partner.redeem(await partner.link(id));
});
afterAll(() => app.close());

const date =
  'expiresAt must be an ISO 8601 date-time with a time zone, such as 2026-12-31T23:59:59Z';
const email = 'email must be an e-mail address such as ada@example.com';

describe('the message about an invalid value', () => {
  it.each<[string, unknown, string, string]>([
    ['name', '', 'TOO_SHORT', 'name must be a string of 1 to 200 characters, but is empty'],
    ['name', '   ', 'TOO_SHORT', 'name must be a string of 1 to 200 characters, but is empty'],
    [
      'name',
      '😀'.repeat(201),
      'TOO_LONG',
      'name must be a string of 1 to 200 characters, but has 201',
    ],
    [
      'name',
      'x'.repeat(9_000),
      'TOO_LONG',
      'name must be a string of 1 to 200 characters, but has more',
    ],
    ['name', 3, 'WRONG_TYPE', 'name must be a string of 1 to 200 characters, not a number'],
    ['name', ['x'], 'WRONG_TYPE', 'name must be a string of 1 to 200 characters, not a list'],
    ['name', null, 'NOT_NULLABLE', 'name must be a string of 1 to 200 characters, not null'],
    ['name', '\ud800', 'INVALID_CHARACTERS', 'name must not contain half of a surrogate pair'],
    ['durationMonths', 0, 'OUT_OF_RANGE', 'durationMonths must be an integer from 1 to 6'],
    [
      'durationMonths',
      1.5,
      'WRONG_TYPE',
      'durationMonths must be an integer from 1 to 6, not a fraction',
    ],
    [
      'durationMonths',
      '3',
      'WRONG_TYPE',
      'durationMonths must be an integer from 1 to 6, not a string',
    ],
    ['maxRedemptions', 0, 'OUT_OF_RANGE', 'maxRedemptions must be an integer from 1 to 2147483647'],
    ['isActive', 'true', 'WRONG_TYPE', 'isActive must be true or false, not a string'],
    ['expiresAt', '2026-02-30T00:00:00Z', 'INVALID', 'expiresAt: 30 February does not exist'],
    ['expiresAt', '2026-02-29T00:00:00Z', 'INVALID', 'expiresAt: 29 February 2026 does not exist'],
    ['expiresAt', '2026-04-31T00:00:00Z', 'INVALID', 'expiresAt: 31 April does not exist'],
    ['expiresAt', '2026-13-01T00:00:00Z', 'INVALID', 'expiresAt: month 13 does not exist'],
    [
      'expiresAt',
      '2026-01-01T24:00:00Z',
      'INVALID',
      'expiresAt: the time of day must be from 00:00:00 to 23:59:59',
    ],
    [
      'expiresAt',
      '2026-01-01T00:00:00+25:00',
      'INVALID',
      'expiresAt: the time zone +25:00 does not exist',
    ],
    [
      'expiresAt',
      '0000-01-01T00:00:00Z',
      'OUT_OF_RANGE',
      'expiresAt must be in the years 0001 to 9999 in UTC',
    ],
    ['expiresAt', '2026-01-01', 'INVALID_FORMAT', `${date}, but has no time`],
    ['expiresAt', '2026-01-01T00:00:00', 'INVALID_FORMAT', `${date}, but has no time zone`],
    ['expiresAt', '2026-01-01T00:00Z', 'INVALID_FORMAT', `${date}, but has no seconds`],
    ...['+0200', '+02', '-2:00'].map((zone): [string, string, string, string] => [
      'expiresAt',
      `2026-01-01T00:00:00${zone}`,
      'INVALID_FORMAT',
      `${date}, but its time zone is neither Z nor of the form +02:00`,
    ]),
    [
      'expiresAt',
      '2026-01-01T00:00:00 02:00',
      'INVALID_FORMAT',
      `${date}, but has a blank instead of the + of its time zone, which is %2B in a URL`,
    ],
    ['expiresAt', 'tomorrow', 'INVALID_FORMAT', date],
    ['expiresAt', 1_800_000_000, 'WRONG_TYPE', `${date}, not a number`],
    [
      'allowedEmails',
      'a@b.example',
      'WRONG_TYPE',
      'allowedEmails must be a list of at most 10000 e-mail addresses, not a string',
    ],
    [
      'allowedEmails',
      Array.from({ length: 10_001 }, () => ''),
      'TOO_LONG',
      'allowedEmails must be a list of at most 10000 e-mail addresses, but has 10001',
    ],
  ])('The field %s with the value %j answers %s: %s', async (field, value, code, message) => {
    const { status, body } = await partner.sponsor('PATCH', campaign, { [field]: value });
    expect({ status, message: body['message'], errors: body['errors'] }).toEqual({
      status: 400,
      message,
      errors: [{ field, code, message }],
    });
  });

  it.each<[unknown, string, string]>([
    [
      ['a@b.example', 3],
      'allowedEmails[1]',
      'allowedEmails[1] must be an e-mail address such as ada@example.com, not a number',
    ],
    [
      ['@b.example'],
      'allowedEmails[0]',
      'allowedEmails[0] must be an e-mail address such as ada@example.com, but what stands before the @ is not valid',
    ],
  ])('The message about the list %j names the item', async (value, field, message) => {
    const { body } = await partner.sponsor('PATCH', campaign, { allowedEmails: value });
    expect(body['errors']).toMatchObject([{ field, message }]);
  });

  it.each<[unknown, string]>([
    ['nobody', `${email}, but has no @`],
    ['a@b@c.example', `${email}, but has more than one @`],
    ['a@localhost', `${email}, but what follows the @ is not a host name`],
    ['a b@c.example', `${email}, but what stands before the @ is not valid`],
    [`a@${'x.'.repeat(130)}example`, `${email}, but has more than 254 characters`],
    ['', `${email}, but is empty`],
    [undefined, 'email is required'],
  ])('The message about the e-mail address %j is: %s', async (value, message) => {
    expect((await partner.manage('POST', '/users', { email: value })).body['message']).toBe(
      message,
    );
  });

  it.each([
    ['page=abc', 'INVALID_FORMAT', 'page must be an integer of at least 1'],
    ['page=0', 'OUT_OF_RANGE', 'page must be an integer of at least 1'],
    ['pageSize=101', 'OUT_OF_RANGE', 'pageSize must be an integer from 1 to 100'],
    ['pageSize=1&pageSize=2', 'REPEATED', 'pageSize must be given once, not 2 times'],
    ['status=ACTIVE', 'UNKNOWN_VALUE', 'status must be one of active, all, inactive'],
  ])('The message about the parameter %s is %s: %s', async (query, code, message) => {
    const { body } = await partner.sponsor('GET', `/campaigns?${query}`);
    expect(body['errors']).toMatchObject([{ code, message }]);
  });

  it('The message about an extension names the date that the new one must exceed', async () => {
    const { body } = await partner.sponsor('PATCH', `/redemptions/${redemption.id}/extend`, {
      newSponsoredUntil: '2001-01-01T00:00:00Z',
    });
    expect(body['errors']).toEqual([
      {
        ...{ field: 'newSponsoredUntil', code: 'OUT_OF_RANGE' },
        message: expect.stringMatching(
          /^newSponsoredUntil must be later than the current end of the sponsorship, 20\d\d-\d\d-\d\dT.+Z$/,
        ),
      },
    ]);
  });

  it('The length of a link’s password is counted in code points without blanks at its ends', async () => {
    const set = (password: string) => partner.sponsor('POST', `${campaign}/links`, { password });
    const rule = 'password must be a string of 4 to 200 characters';
    expect((await set('    ')).body['message']).toBe(`${rule}, but is empty`);
    expect((await set(' abc ')).body['message']).toBe(`${rule}, but has 3`);
    expect((await set('😀😀😀')).body['message']).toBe(`${rule}, but has 3`);
    expect((await set(`${'x'.repeat(200)} `)).status).toBe(200);
    expect((await set(' 😀😀😀😀 ')).status).toBe(200);
  });
});
