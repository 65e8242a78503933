import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { sizedByParent } from '../../../graph/schema/field-cost.ts';
import { distinct, integer } from '../../../graph/schema/input-rules.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import { addressCharactersMax, readEmailAddress } from '../../users/email-address.ts';
import '../../users/email-address.graphql.ts';
import { Language } from '../../accounts/language.graphql.ts';
import { Link } from '../links/link.graphql.ts';
import { readLink } from '../links/read-links.ts';
import {
  inviteToLink,
  type SkippedAddress as SkippedAddressRow,
  type skipReasons,
} from './invite-to-link.ts';
import { LinkInvitation } from './link-invitation.graphql.ts';
import { resendLinkInvitation } from './resend-link-invitation.ts';
import { revokeLinkInvitation } from './revoke-link-invitation.ts';

const addressesMax = 1_000;
const addressesRule = distinct(
  {
    title: 'InvitedAddressList',
    noun: 'e-mail addresses',
    item: 'an e-mail address',
    max: addressesMax,
    items: { type: 'string', format: 'email', maxLength: addressCharactersMax },
  },
  (item) => (typeof item === 'string' ? readEmailAddress(item) : undefined),
);

const SkipReason = builder.enumType('LinkInvitationSkipReason', {
  description: 'Why an address was not invited.',
  values: {
    ALREADY_INVITED: { description: 'It has an invitation to the campaign already.' },
    ALREADY_REDEEMED: { description: 'It has redeemed the campaign.' },
    NOT_ALLOWED: { description: 'The lists of the campaign do not contain it.' },
    MAILED_OFTEN: { description: 'It got five mails already, for the campaign or on one day.' },
  } satisfies Record<(typeof skipReasons)[number], object>,
});

const SkippedAddress = builder.objectRef<SkippedAddressRow>('SkippedAddress').implement({
  description: 'An address that was not invited.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The e-mail address, as it was sent.' }),
    reason: t.expose('reason', { type: SkipReason, description: 'Why it was not invited.' }),
  }),
});

mutation('inviteToLink', {
  description:
    'Invites e-mail addresses to redeem a link. Each gets a mail with an address that only its verified owner can redeem, once. An invitation needs no password, and uses the capacity of the campaign when it is redeemed. At most 2,000 mails a day (UTC) are sent for an organization.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    linkId: t.field({ type: 'ID', description: 'The id of the link.' }),
    emails: t.field({
      type: ['EmailAddress'],
      rule: addressesRule,
      description: 'The addresses, at most 1,000; duplicates are ignored.',
    }),
    days: t.field({
      type: 'Int',
      rule: integer({ min: 1, max: 90 }),
      defaultValue: 14,
      description: 'The days after which the invitations expire, 1 to 90.',
    }),
    reminderDays: t.field({
      type: 'Int',
      rule: integer({ min: 1, max: 14 }),
      required: false,
      defaultValue: 3,
      description:
        'How many days before its end an invitation that was not redeemed gets its one reminder; less than `days`. Null: no reminder is sent.',
    }),
    language: t.field({
      type: Language,
      defaultValue: 'EN',
      description: 'The language of the mails.',
    }),
  }),
  resolve: async ({ reminderDays = null, ...input }, context) => {
    const { origin, mail, linkInvitationTokens } = context;
    const answer = await inviteToLink(
      { ...input, reminderDays, origin },
      { ...writerOf(context), mail, linkInvitationTokens },
    );
    context.wakeLinkInvitations();
    return answer;
  },
  resultSize: { argument: 'emails', fields: ['skipped'] },
  payload: (t) => ({
    invited: t.exposeInt('invited', { description: 'How many addresses were invited.' }),
    skipped: t.expose('skipped', {
      type: [SkippedAddress],
      description: 'The addresses that were not invited.',
      cost: { listSize: sizedByParent },
    }),
    link: t.field({
      type: Link,
      description: 'What the addresses were invited to.',
      resolve: ({ linkId }, _, { viewer, database }) =>
        readLink({ organizationId: memberOf(viewer).organizationId, linkId }, { database }),
    }),
  }),
});

mutation('resendLinkInvitation', {
  description:
    'Sends an invitation to a link again that can still be redeemed: at most once an hour, and five mails for each address.',
  authScopes: { manages: sponsorship },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the invitation.' }) }),
  resolve: async (input, context) => {
    const invitation = await resendLinkInvitation(input, {
      ...writerOf(context),
      mail: context.mail,
    });
    context.wakeLinkInvitations();
    return { invitation };
  },
  payload: (t) => ({
    invitation: t.expose('invitation', {
      type: LinkInvitation,
      description: 'Its mail is sent soon.',
    }),
  }),
});

mutation('revokeLinkInvitation', {
  description: 'Revokes an invitation to a link, which cannot be redeemed from then on.',
  authScopes: { manages: sponsorship },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the invitation.' }) }),
  resolve: async (input, context) => ({
    invitation: await revokeLinkInvitation(input, writerOf(context)),
  }),
  payload: (t) => ({
    invitation: t.expose('invitation', {
      type: LinkInvitation,
      description: 'The revoked invitation.',
    }),
  }),
});
