import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphAnswerOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

const errorsOf = async (query: string) => {
  const { errors } = graphAnswerOf(await owner.call('POST', '/graphql', { query }));
  return errors.map(({ message, locations, extensions }) => ({
    message,
    locations,
    path: extensions?.errors?.[0]?.path,
    code: extensions?.errors?.[0]?.code,
  }));
};

describe('invalid literals in a document', () => {
  it.each([
    [
      '{ users(pageSize: 101) { totalCount } }',
      ['pageSize'],
      'OUT_OF_RANGE',
      'The argument pageSize of users must be an integer from 1 to 100',
      19,
    ],
    [
      '{ users(pageSize: "many") { totalCount } }',
      ['pageSize'],
      'WRONG_TYPE',
      'The argument pageSize of users must be an integer from 1 to 100, not a string',
      19,
    ],
    [
      '{ expiringKeys(days: null) { id } }',
      ['days'],
      'NOT_NULLABLE',
      'The argument days of expiringKeys must be an integer from 1 to 366, not null',
      22,
    ],
    [
      'mutation { createUser(input: { email: "nobody" }) { isNewUser } }',
      ['input', 'email'],
      'INVALID_FORMAT',
      'The argument input.email of createUser must be an e-mail address such as ada@example.com, but has no @',
      39,
    ],
    [
      'mutation { createCampaign(input: { name: "A", durationMonths: 1, allowedEmails: ["a@b.example", "c"] }) { campaign { id } } }',
      ['input', 'allowedEmails', 1],
      'INVALID_FORMAT',
      'The argument input.allowedEmails[1] of createCampaign must be an e-mail address such as ada@example.com, but has no @',
      97,
    ],
    [
      'mutation { setCampaignPricing(input: { campaignId: "x", pricing: {model: "FIXED", amountEur: -1, unit: "X"} }) { campaignId } }',
      ['input', 'pricing', 'amountEur'],
      'OUT_OF_RANGE',
      'The argument input.pricing.amountEur of setCampaignPricing must be a number from 0 to 100000000000',
      94,
    ],
    [
      'mutation { setCampaignPricing(input: { campaignId: "x", pricing: {model: "FIXED"} }) { campaignId } }',
      ['input', 'pricing', 'amountEur'],
      'REQUIRED',
      'The argument input.pricing.amountEur of setCampaignPricing is required',
      66,
    ],
    [
      '{ teams { nodes { id @skip(if: "yes") } } }',
      ['if'],
      'WRONG_TYPE',
      'The argument if of @skip must be true or false, not a string',
      32,
    ],
    [
      'query A($size: Int! = 0) { users(pageSize: $size) { totalCount } }',
      ['pageSize'],
      'OUT_OF_RANGE',
      'The default of $size must be an integer from 1 to 100',
      23,
    ],
    [
      '{ campaigns(status: active) { totalCount } }',
      ['status'],
      'UNKNOWN_VALUE',
      'The argument status of campaigns must be one of ACTIVE, ALL, INACTIVE',
      21,
    ],
    [
      '{ campaigns(status: "ACTIVE") { totalCount } }',
      ['status'],
      'WRONG_TYPE',
      'The argument status of campaigns must be one of ACTIVE, ALL, INACTIVE, without quotes',
      21,
    ],
    [
      '{ users(search: many) { totalCount } }',
      ['search'],
      'WRONG_TYPE',
      'The argument search of users must be a string of at most 200 characters, not a name without quotes',
      17,
    ],
  ])(
    'the error of %s names the argument and its location',
    async (query, path, code, message, column) => {
      expect((await errorsOf(query))[0]).toEqual({
        message,
        path,
        code,
        locations: [{ line: 1, column }],
      });
    },
  );

  it('every invalid literal of a document is reported', async () => {
    const allErrors = await errorsOf(
      '{ users(page: 0, pageSize: 0) { totalCount } more: users(page: -1) { totalCount } }',
    );
    expect(allErrors.map(({ path, locations }) => [path, locations])).toEqual([
      [['page'], [{ line: 1, column: 15 }]],
      [['pageSize'], [{ line: 1, column: 28 }]],
      [['page'], [{ line: 1, column: 64 }]],
    ]);
  });
});
