import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';

let app: TestApp;
let partner: TestPartner;
let campaignId: string;
let linkId: string;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  partner = await partnerIn(app);
  campaignId = (await partner.campaign()).id;
  linkId = (await partner.link(campaignId)).id;
});
afterAll(() => app.close());

const sponsorship = '/api/sponsorship/v1';
const management = '/api/user-management/v1';

const names = [
  ['POST', () => `${sponsorship}/campaigns`, 'name', { durationMonths: 1 }],
  ['PATCH', () => `${sponsorship}/campaigns/${campaignId}`, 'name', {}],
  ['POST', () => `${sponsorship}/campaigns/${campaignId}/links`, 'name', {}],
  ['PATCH', () => `${sponsorship}/links/${linkId}`, 'name', {}],
  ['POST', () => `${management}/teams`, 'name', {}],
  ['POST', () => `${management}/users`, 'firstName', { email: 'a@text.example' }],
  ['POST', () => `${management}/users`, 'lastName', { email: 'a@text.example' }],
  [
    'PATCH',
    () => `${sponsorship}/redemptions/unknown/billing`,
    'billingBatchId',
    { billingStatus: 'BILLED' },
  ],
] as const;

describe.each(names)('%s %s: text input of %s (D49)', (method, path, field, rest) => {
  it.each([
    ['zero-width spaces', '\u200b\u200d\u2060', `${field} must contain a visible character`],
    ['a Hangul filler', '\u3164\u115f\uffa0', `${field} must contain a visible character`],
    ['an empty Braille pattern', '\u2800', `${field} must contain a visible character`],
    ['a combining mark alone', '\u0301', `${field} must contain a visible character`],
    [
      'an override of the direction',
      'a\u202eb',
      `${field} must not contain characters that change the direction of text`,
    ],
    [
      'an isolate',
      'a\u2066b',
      `${field} must not contain characters that change the direction of text`,
    ],
    ['a control character', 'a\u0007b', `${field} must not contain control characters`],
    ['a line break', 'a\nb', `${field} must not contain control characters`],
    ['a NUL', 'a\u0000b', `${field} must not contain control characters`],
  ])(
    'A text with %s is rejected with 400, and the error names the field',
    async (_, value, message) => {
      const { status, body } = await partner.call(method, path(), { ...rest, [field]: value });
      expect({ status, errors: body['errors'] }).toEqual({
        status: 400,
        errors: [{ field, code: 'INVALID_CHARACTERS', message }],
      });
    },
  );
});

describe('the reason of an extension (D49)', () => {
  it('The reason of an extension can have line breaks and tabs, but no other control characters and no direction overrides', async () => {
    const extend = (reason: string) =>
      partner.sponsor('PATCH', '/redemptions/unknown/extend', {
        newSponsoredUntil: '2090-01-01T00:00:00Z',
        reason,
      });
    expect((await extend('Agreed\n\twith sales')).status).toBe(404);
    expect((await extend('a\u0007b')).body['message']).toBe(
      'reason must not contain control characters other than line breaks and tabs',
    );
    expect((await extend('a\u202eb')).body['message']).toBe(
      'reason must not contain characters that change the direction of text',
    );
  });
});

describe('an e-mail address (D49)', () => {
  it('An e-mail address with invisible characters is rejected', async () => {
    for (const email of ['a\u202eb@text.example', 'a\u200bb@text.example', '\u3164@text.example']) {
      expect((await partner.manage('POST', '/users', { email })).body['message']).toMatch(
        /^email must be an e-mail address .+ before the @ is not valid$/,
      );
      expect(
        (await partner.sponsor('PATCH', `/campaigns/${campaignId}`, { allowedEmails: [email] }))
          .status,
      ).toBe(400);
    }
  });
});

describe('the text of a search (D49)', () => {
  it('The text of a search is trimmed in REST and in GraphQL', async () => {
    await partner.member('zoe@search.example', { firstName: 'Zoë' });
    for (const search of [
      'zoe@search.example',
      '  zoe@search.example \t',
      '\u00a0zoe@search.example\n',
    ]) {
      expect(
        (await partner.manage('GET', `/users?search=${encodeURIComponent(search)}`)).body['total'],
      ).toBe(1);
      const { data } = await app.graph(
        partner.key,
        'query A($search: String) { users(search: $search) { totalCount } }',
        { search },
      );
      expect(data).toEqual({ users: { totalCount: 1 } });
    }
    expect((await partner.manage('GET', '/users?search=%20%20')).body['total']).toBe(
      (await partner.manage('GET', '/users')).body['total'],
    );
  });

  it('The text of a search has at most 200 characters, not counting the spaces around it', async () => {
    expect(
      (await partner.manage('GET', `/users?search=${'%20'.repeat(50)}${'x'.repeat(200)}`)).status,
    ).toBe(200);
    expect((await partner.manage('GET', `/users?search=${'x'.repeat(201)}`)).status).toBe(400);
  });
});
