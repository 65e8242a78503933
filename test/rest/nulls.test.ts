import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filePart } from '../../src/rest/read-upload.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn } from '../support/assistants.ts';
import { tableCalls } from '../support/openapi.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';
import { refusalBody } from '../support/refusal-body.ts';

let app: TestApp;
let partner: TestPartner;
let paths: Record<string, string>;
let assistantKey: string;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  partner = await partnerIn(app);
  const campaign = await partner.campaign();
  const link = await partner.link(campaign.id);
  const redemption = await partner.redeem(link);
  const { body } = await partner.manage('POST', '/teams', { name: 'Nulls' });
  const person = await personIn(app, partner);
  assistantKey = person.key;
  paths = {
    ...{
      campaignId: campaign.id,
      linkId: link.id,
      redemptionId: redemption.id,
      teamId: Object(body['team']).id,
      userId: partner.administratorId,
    },
    assistantId: await assistantOf(person, { name: 'Nulls' }),
  };
});
afterAll(() => app.close());

const endOfSponsorship = '2090-01-01T00:00:00Z';

/**
 * The status for null in every field of every JSON body: 200 if null clears the value or means
 * "none", 400 if the contract does not allow null.
 */
const nullExpectations: Record<string, { valid: object; fields: Record<string, 200 | 400> }> = {
  'POST /api/assistants/v1/{assistantId}/run': { valid: {}, fields: { messages: 400 } },
  'POST /api/sponsorship/v1/campaigns': {
    valid: { name: 'Nulls', durationMonths: 1 },
    // For these fields null means "no maximum" and "no end".
    fields: {
      name: 400,
      durationMonths: 400,
      maxRedemptions: 200,
      expiresAt: 200,
      includedSeats: 200,
      allowedEmailDomains: 400,
      allowedEmails: 400,
    },
  },
  'PATCH /api/sponsorship/v1/campaigns/{campaignId}': {
    valid: {},
    fields: {
      ...{
        name: 400,
        durationMonths: 400,
        maxRedemptions: 200,
        expiresAt: 200,
        isActive: 400,
        includedSeats: 200,
      },
      ...{ allowedEmailDomains: 400, allowedEmails: 400 },
    },
  },
  // Null means no password, as in PATCH.
  'POST /api/sponsorship/v1/campaigns/{campaignId}/links': {
    valid: {},
    fields: { name: 400, password: 200 },
  },
  'PATCH /api/sponsorship/v1/links/{linkId}': { valid: {}, fields: { name: 400, isActive: 400 } },
  'PATCH /api/sponsorship/v1/links/{linkId}/password': { valid: {}, fields: { password: 200 } },
  'PATCH /api/sponsorship/v1/redemptions/{redemptionId}/extend': {
    valid: { newSponsoredUntil: endOfSponsorship },
    fields: { newSponsoredUntil: 400, reason: 200 },
  },
  'PATCH /api/sponsorship/v1/redemptions/{redemptionId}/billing': {
    valid: { billingStatus: 'BILLED' },
    fields: { billingStatus: 400, billingAmount: 400, billingBatchId: 400 },
  },
  'POST /api/user-management/v1/users': {
    valid: { email: 'null@nulls.example' },
    fields: { email: 400, firstName: 400, lastName: 400 },
  },
  // The fields of each item have tests of their own.
  'POST /api/user-management/v1/users/bulk': {
    valid: { users: [{ email: 'item@nulls.example' }] },
    fields: { users: 400, atomic: 400 },
  },
  'PATCH /api/sponsorship/v1/redemptions/extend': {
    valid: { redemptions: [{ redemptionId: 'unknown', newSponsoredUntil: endOfSponsorship }] },
    fields: { redemptions: 400, atomic: 400 },
  },
  'PATCH /api/sponsorship/v1/redemptions/billing': {
    valid: { redemptions: [{ redemptionId: 'unknown', billingStatus: 'BILLED' }] },
    fields: { redemptions: 400, atomic: 400 },
  },
  'POST /api/user-management/v1/users/add': { valid: {}, fields: { email: 400 } },
  'PATCH /api/user-management/v1/users/{userId}': {
    valid: {},
    fields: { firstName: 400, lastName: 400, role: 400 },
  },
  'PATCH /api/user-management/v1/teams/{teamId}': { valid: {}, fields: { name: 400 } },
  'POST /api/user-management/v1/teams': { valid: {}, fields: { name: 400 } },
  'POST /api/user-management/v1/teams/{teamId}/users': { valid: {}, fields: { userId: 400 } },
};

const documentedFields = tableCalls.flatMap(({ method, template, call: { requestBody } }) => {
  const schema = requestBody?.content['application/json']?.schema;
  return schema ? [{ call: `${method} ${template}`, properties: schema.properties ?? {} }] : [];
});

describe('null in a body', () => {
  it('Every documented field has an expected status in this test', () => {
    const documented = documentedFields.map(({ call, properties }) => [
      call,
      Object.keys(properties)
        .filter((name) => name !== filePart)
        .sort(),
    ]);
    expect(
      Object.entries(nullExpectations)
        .map(([call, { fields }]) => [call, Object.keys(fields).sort()])
        .sort(),
    ).toEqual(documented.sort());
  });

  it.each(
    Object.entries(nullExpectations).flatMap(([call, { valid, fields }]) =>
      Object.entries(fields).map(([field, status]) => ({ call, field, status, valid })),
    ),
  )(
    '$call with null for $field answers $status, as OpenAPI documents it',
    async ({ call, field, status, valid }) => {
      const [method = '', template = ''] = call.split(' ');
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(paths[name]));
      const key = path.startsWith('/api/assistants') ? assistantKey : partner.key;
      const answer = await app.callerWith(key)(method, path, { ...valid, [field]: null });
      expect(answer.status).toBe(status);
      if (status === 400) {
        expect(answer.body).toEqual(refusalBody('BAD_INPUT'));
        expect(answer.body['errors']).toMatchObject([
          { field, code: 'NOT_NULLABLE', message: expect.stringMatching(/, not null$/) },
        ]);
      }
      const schema = documentedFields.find((documented) => documented.call === call)?.properties[
        field
      ];
      const mayBeNull = [schema?.type, ...(schema?.anyOf ?? []).map(({ type }) => type)]
        .flat()
        .includes('null');
      expect(mayBeNull).toBe(status === 200);
    },
  );
});
