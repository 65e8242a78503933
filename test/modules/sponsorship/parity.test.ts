import { type DocumentNode, execute, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../../../src/rest/respond.ts';
import { schema } from '../../../src/schema.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import {
  CreateCampaignDocument,
  CreateLinkDocument,
  ExtendRedemptionDocument,
  ListCampaignsDocument,
  ListLinksDocument,
  ListRedemptionsDocument,
  SetLinkPasswordDocument,
  SetRedemptionBillingDocument,
  UpdateCampaignDocument,
  UpdateLinkDocument,
} from '../../support/generated/operations.ts';
import { partnerIn, type TestPartner } from '../../support/partner.ts';
import { watchStatements } from '../../support/statements.ts';

let app: TestApp;
const watch = watchStatements();
const at = new Date('2026-05-05T10:00:00.000Z');
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' }, { clock: () => at });
});
afterAll(async () => {
  watch.stop();
  await app.close();
});

type PartnerFixture = TestPartner & { campaignId: string; linkId: string; redemptionId: string };

/** Creates a partner. Two of them differ only in ids, so that each API can make the same change. */
async function createFixture(): Promise<PartnerFixture> {
  const partner = await partnerIn(app);
  const { id: campaignId } = await partner.campaign({
    maxRedemptions: 5,
    expiresAt: '2030-01-01T00:00:00Z',
    includedSeats: 5,
  });
  const link = await partner.link(campaignId);
  const { id: redemptionId } = await partner.redeem(link);
  return { ...partner, campaignId, linkId: link.id, redemptionId };
}

type CallCase = {
  call: string;
  document: DocumentNode;
  statements: number;
  input: (owner: PartnerFixture) => Record<string, unknown>;
};

const callCases: CallCase[] = [
  {
    call: 'GET /campaigns',
    document: ListCampaignsDocument,
    statements: 1,
    input: () => ({ page: 1, pageSize: 10, status: 'active' }),
  },
  {
    call: 'POST /campaigns',
    document: CreateCampaignDocument,
    statements: 1,
    input: () => ({ name: 'Another', durationMonths: 2, includedSeats: null }),
  },
  // Undefined, null and a value differ in each API and each executor.
  {
    call: 'PATCH /campaigns/:campaignId',
    document: UpdateCampaignDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId, maxRedemptions: null, name: 'New' }),
  },
  {
    call: 'PATCH /campaigns/:campaignId',
    document: UpdateCampaignDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId }),
  },
  {
    call: 'GET /campaigns/:campaignId/links',
    document: ListLinksDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId, page: 1, pageSize: 10 }),
  },
  {
    call: 'GET /campaigns/:campaignId/links',
    document: ListLinksDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId, page: 9, pageSize: 10 }),
  },
  {
    call: 'POST /campaigns/:campaignId/links',
    document: CreateLinkDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId, name: 'Chosen' }),
  },
  {
    call: 'POST /campaigns/:campaignId/links',
    document: CreateLinkDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId }),
  },
  {
    call: 'PATCH /links/:linkId',
    document: UpdateLinkDocument,
    statements: 1,
    input: ({ linkId }) => ({ linkId, isActive: false }),
  },
  {
    call: 'PATCH /links/:linkId',
    document: UpdateLinkDocument,
    statements: 1,
    input: ({ linkId }) => ({ linkId }),
  },
  {
    call: 'PATCH /links/:linkId/password',
    document: SetLinkPasswordDocument,
    statements: 2,
    input: ({ linkId }) => ({ linkId, password: null }),
  },
  {
    call: 'GET /campaigns/:campaignId/redemptions',
    document: ListRedemptionsDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId, page: 1, pageSize: 10 }),
  },
  {
    call: 'GET /campaigns/:campaignId/redemptions',
    document: ListRedemptionsDocument,
    statements: 1,
    input: ({ campaignId }) => ({ campaignId, page: 1, pageSize: 10, billingStatus: 'UNBILLED' }),
  },
  {
    call: 'PATCH /redemptions/:redemptionId/extend',
    document: ExtendRedemptionDocument,
    statements: 2,
    input: ({ redemptionId }) => ({ redemptionId, newSponsoredUntil: '2030-01-01T00:00:00.000Z' }),
  },
  {
    call: 'PATCH /redemptions/:redemptionId/billing',
    document: SetRedemptionBillingDocument,
    statements: 1,
    input: ({ redemptionId }) => ({ redemptionId, billingStatus: 'BILLED', billingAmount: 3 }),
  },
];

describe.each(callCases)(
  '$call with $statements statements',
  ({ call, document, statements, input }) => {
    const [method = '', template = ''] = call.split(' ');

    async function callRest(owner: PartnerFixture) {
      const variables = input(owner);
      const path = template.replaceAll(/:(\w+)/g, (_, name: string) => String(variables[name]));
      const rest = Object.entries(variables).filter(([name]) => !template.includes(`:${name}`));
      const query =
        method === 'GET'
          ? `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)]))}`
          : '';
      return owner.sponsor(
        method,
        path + query,
        method === 'GET' ? undefined : Object.fromEntries(rest),
      );
    }

    it('The REST response has the same body as the operation over /graphql', async () => {
      const [restPartner, graphPartner] = [await createFixture(), await createFixture()];
      const rest = await callRest(restPartner);
      const graph = await app.graph(graphPartner.key, print(document), input(graphPartner));
      expect(graph.errors).toEqual([]);
      expect(rest.status).toBe(200);
      expect(normalize(rest.body)).toEqual(
        normalize(bodyOf({ status: 'success' }, graph.data ?? {})),
      );
    });

    it('The compiled operation runs as many statements as the standard executor, with the same result', async () => {
      const [restPartner, graphPartner] = [await createFixture(), await createFixture()];
      const compiled = await watch.during(() => callRest(restPartner));
      const features = new Set(['partnerSponsorship', 'partnerSponsorshipApi']);
      const viewer = {
        kind: 'ORGANIZATION_KEY' as const,
        keyId: graphPartner.keyId,
        organizationId: graphPartner.id,
        features,
        limitPerMinute: null,
      };
      const standard = await watch.during(async () =>
        execute({
          schema,
          document,
          variableValues: input(graphPartner),
          contextValue: { ...app.contextParts, requestId: 'parity', viewer },
        }),
      );
      expect(standard.result.errors).toBeUndefined();
      expect(normalize(compiled.result.body)).toEqual(
        normalize(bodyOf({ status: 'success' }, standard.result.data ?? {})),
      );
      expect(compiled.statements).toHaveLength(statements);
      expect(standard.statements).toHaveLength(statements);
    });
  },
);

/** The value as JSON, without the ids, tokens and addresses that differ between two partners. */
function normalize(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/[0-9A-Za-z]{32}/g, 'token')
    .replaceAll(/redeemer\d+/g, 'redeemer');
}
