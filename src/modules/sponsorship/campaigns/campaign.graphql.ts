import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { searchArg } from '../../../graph/schema/input-rules.ts';
import { type InputBuilder, mutation } from '../../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../../graph/schema/node.ts';
import { neverNull } from '../../../graph/schema/presence.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import type { Campaign as CampaignRow } from './campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { listCampaigns } from './list-campaigns.ts';
import { PricingType } from './pricing.graphql.ts';
import { pricingOf } from './pricing.ts';
import { readCampaign, readCampaigns } from './read-campaigns.ts';
import {
  campaignNameRule,
  durationRule,
  emailAddressesRule,
  emailDomainsRule,
  includedSeatsRule,
  maxRedemptionsRule,
} from './terms.graphql.ts';
import { updateCampaign } from './update-campaign.ts';

const CampaignStatus = builder.enumType('CampaignStatus', {
  description: 'A filter of campaigns by whether they are active.',
  values: {
    ACTIVE: { description: 'Only campaigns that are switched on, also those that have ended.' },
    INACTIVE: { description: 'Only campaigns that are switched off.' },
    ALL: { description: 'Campaigns in both states.' },
  } as const,
});
const CampaignOrder = orderType('CampaignOrder', {
  CREATED_AT: 'When the campaign was created.',
  NAME: 'The name, regardless of case.',
  COMPLETED_REDEMPTIONS: 'The number of completed redemptions.',
  EXPIRES_AT: 'When the campaign ends; campaigns without an end come after all others.',
});

export const Campaign = builder.objectRef<CampaignRow>('Campaign').implement({
  interfaces: [Node],
  description:
    'A partner’s offer: everyone who opens one of its links can redeem it for a sponsored workspace.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the campaign, an opaque string that never changes.',
    }),
    name: t.exposeString('name', {
      description:
        'The display name, 1 to 200 characters. Several campaigns can have the same one.',
    }),
    durationMonths: t.exposeInt('durationMonths', {
      description: 'How many calendar months a sponsorship lasts.',
    }),
    maxRedemptions: t.exposeInt('maxRedemptions', {
      nullable: true,
      description: 'How often the campaign can be redeemed; null means no limit.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From this time the campaign cannot be redeemed; null means no end.',
    }),
    includedSeats: t.exposeInt('includedSeats', {
      nullable: true,
      description: 'The seat limit of each sponsored organization.',
    }),
    allowedEmailDomains: t.exposeStringList('allowedEmailDomains', {
      description:
        'An address must match one of the two lists; two empty lists allow every address.',
    }),
    allowedEmails: t.exposeStringList('allowedEmails', {
      description:
        'E-mail addresses that may redeem, in lower case, at most 10,000. See allowedEmailDomains.',
    }),
    pricing: t.field({
      type: PricingType,
      nullable: true,
      description:
        'The price of later redemptions, which only platform support sets; null if there is none.',
      resolve: pricingOf,
    }),
    isActive: t.exposeBoolean('isActive', {
      description:
        'Whether the campaign is switched on. An inactive campaign cannot be redeemed; running sponsorships continue.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the campaign was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the terms of the campaign last changed.',
    }),
    completedRedemptionsCount: t.exposeInt('completedRedemptionsCount', {
      description: 'How often the campaign has been redeemed.',
    }),
    reservedRedemptionsCount: t.exposeInt('reservedRedemptionsCount', {
      description: 'Reservations of people who are signing up or signing in.',
    }),
  }),
});

addNodeSource('Campaign', {
  scopes: { manages: sponsorship },
  table: fragment`campaigns`,
  load: (campaignIds, { viewer, ...dependencies }) =>
    readCampaigns({ organizationId: memberOf(viewer).organizationId, campaignIds }, dependencies),
});

const CampaignConnection = connectionType('Campaign', Campaign);

builder.queryFields((t) => ({
  campaigns: t.field({
    type: CampaignConnection,
    description: 'The campaigns of the organization, newest first by default.',
    args: {
      ...connectionArgs(),
      status: t.arg({
        type: CampaignStatus,
        defaultValue: 'ALL',
        description: 'Which campaigns to list.',
      }),
      search: t.arg(searchArg()),
      updatedSince: t.arg({
        type: 'DateTime',
        required: false,
        description:
          'Only campaigns that were created or whose terms were changed at this time or later, the earliest change first. The numbers of redemptions do not count.',
      }),
      orderBy: t.arg({
        type: CampaignOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(50),
    authScopes: { manages: sponsorship },
    resolve: (_, args, { viewer, ...dependencies }, info) =>
      listCampaigns(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 50),
        dependencies,
      ),
  }),
  campaign: t.field({
    type: Campaign,
    description: 'A campaign of the organization.',
    args: { campaignId: t.arg({ type: 'ID', description: 'The id of the campaign.' }) },
    authScopes: { manages: sponsorship },
    resolve: (_, { campaignId }, { viewer, ...dependencies }) =>
      readCampaign({ organizationId: memberOf(viewer).organizationId, campaignId }, dependencies),
  }),
}));

/** The inputs that creating and updating have in common. */
const termInputs = (t: InputBuilder) => ({
  maxRedemptions: t.field({
    type: 'Int',
    rule: maxRedemptionsRule,
    required: false,
    description: 'How often the campaign can be redeemed; null means no limit.',
  }),
  expiresAt: t.field({
    type: 'DateTime',
    required: false,
    description: 'From this time the campaign cannot be redeemed; null means no end.',
  }),
  includedSeats: t.field({
    type: 'Int',
    rule: includedSeatsRule,
    required: false,
    description: 'How many members each sponsored organization can have; null means no limit.',
  }),
  allowedEmailDomains: t.field({
    type: ['String'],
    rule: emailDomainsRule,
    ...neverNull,
    description:
      'Domains whose addresses are allowed. Each matches exactly; subdomains do not match. Stored in lower case and ASCII, without duplicates. An address must match one of the two lists; two empty lists allow every address.',
  }),
  allowedEmails: t.field({
    type: ['EmailAddress'],
    rule: emailAddressesRule,
    ...neverNull,
    description:
      'Addresses that are allowed. Stored in lower case, with domains in ASCII, without duplicates.',
  }),
});

mutation('createCampaign', {
  description: 'Creates a campaign. It is active, and open to everyone if both lists are empty.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    name: t.field({ type: 'String', rule: campaignNameRule, description: 'The display name.' }),
    durationMonths: t.field({
      type: 'Int',
      rule: durationRule,
      description: 'How many calendar months a sponsorship lasts.',
    }),
    ...termInputs(t),
  }),
  resolve: async (input, context) => ({ campaign: await createCampaign(input, writerOf(context)) }),
  payload: (t) => ({
    campaign: t.expose('campaign', { type: Campaign, description: 'The new campaign.' }),
  }),
});

mutation('updateCampaign', {
  description:
    'Changes the terms for later redemptions. Omitted fields stay as they are; null clears a field.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    campaignId: t.field({ type: 'ID', description: 'The id of the campaign.' }),
    name: t.field({
      type: 'String',
      rule: campaignNameRule,
      ...neverNull,
      description: 'The new name.',
    }),
    durationMonths: t.field({
      type: 'Int',
      rule: durationRule,
      ...neverNull,
      description: 'How many calendar months a sponsorship lasts.',
    }),
    isActive: t.field({
      type: 'Boolean',
      ...neverNull,
      description: 'Whether the campaign can be redeemed.',
    }),
    ...termInputs(t),
  }),
  resolve: async ({ campaignId, ...terms }, context) => ({
    campaign: await updateCampaign({ campaignId, terms }, writerOf(context)),
  }),
  payload: (t) => ({
    campaign: t.expose('campaign', {
      type: Campaign,
      description: 'The campaign after the change.',
    }),
  }),
});
