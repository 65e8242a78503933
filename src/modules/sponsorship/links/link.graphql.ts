import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  nodesSelectOnly,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import {
  inputRule,
  requireLength,
  requireStorable,
  searchArg,
  text,
  textContract,
} from '../../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation } from '../../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../../graph/schema/node.ts';
import { alwaysSent, neverNull } from '../../../graph/schema/presence.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { InputFault } from '../../../platform/input-fault.ts';
import { writerOf } from '../../audit/record-change.ts';
import { sponsorship } from '../../organizations/features.ts';
import { createLink } from './create-link.ts';
import { briefLink, type Link as LinkRow } from './link.ts';
import { listLinks } from './list-links.ts';
import { readLink, readLinks } from './read-links.ts';
import { shortLinksPath } from './serve-short-link.ts';
import { setLinkPassword } from './set-link-password.ts';
import { updateLink } from './update-link.ts';
import { countWrongPasswords } from './wrong-passwords.ts';

const linkPasswordLength = { min: 4, max: 200 };

const linkNameRule = text({ min: 1, max: 200 });
/**
 * The password that people who open a link must enter. Spaces at its ends are part of it, but do
 * not count.
 */
const linkPasswordRule = inputRule(textContract(linkPasswordLength), (value) => {
  if (typeof value !== 'string') return undefined;
  requireStorable(value);
  requireLength(value.trim(), linkPasswordLength);
  // The hash accepts up to 400 UTF-16 units; a character can take two.
  if (value.length > 2 * linkPasswordLength.max)
    throw new InputFault('TOO_LONG', 'must not have so many blanks at its ends');
  return value;
});

export const Link = builder.objectRef<LinkRow>('Link').implement({
  interfaces: [Node],
  description: 'A link to a campaign that the partner hands out.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The id of the link, an opaque string that never changes. It is not the token in the address.',
    }),
    name: t.exposeString('name', {
      description: 'The display name for the partner, 1 to 200 characters.',
    }),
    token: t.exposeString('token', {
      description: 'The part of the address that identifies the link; not a secret.',
    }),
    url: t.string({
      description: 'The address that the partner hands out.',
      resolve: ({ token }, _, { origin }) => `${origin}/auth?sponsored=${token}`,
    }),
    shortUrl: t.string({
      description: 'A short address that leads to `url`, for print and to type.',
      resolve: ({ shortCode }, _, { origin }) => `${origin}${shortLinksPath}/${shortCode}`,
    }),
    isActive: t.exposeBoolean('isActive', {
      description: 'Whether the link is switched on. An inactive link cannot be redeemed.',
    }),
    hasPassword: t.exposeBoolean('hasPassword', {
      description: 'Whether the link has a password. The API never returns the password itself.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the link was created.',
    }),
    completedRedemptionsCount: t.exposeInt('completedRedemptionsCount', {
      description: 'How often the campaign has been redeemed through this link.',
    }),
  }),
});

builder.objectField(Link, 'wrongPasswordsLastHour', (t) =>
  t.loadable({
    type: 'Int',
    description:
      'The number of wrong passwords that were entered at the link in the last hour. Ten or more can mean that somebody is guessing.',
    load: (linkIds: string[], { viewer, ...dependencies }) =>
      countWrongPasswords(
        { organizationId: memberOf(viewer).organizationId, linkIds },
        dependencies,
      ),
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

addNodeSource('Link', {
  scopes: { manages: sponsorship },
  table: fragment`links`,
  load: (linkIds, { viewer, database }) =>
    readLinks({ organizationId: memberOf(viewer).organizationId, linkIds }, { database }),
});

export const LinkConnection = connectionType('Link', Link);
const LinkOrder = orderType('LinkOrder', {
  CREATED_AT: 'When the link was created.',
  NAME: 'The name, regardless of case.',
});
export const linkListArgs = () =>
  builder.args((t) => ({
    ...connectionArgs(),
    isActive: t.boolean({
      required: false,
      description: 'Only links that are active, or only links that are not.',
    }),
    search: t.field(searchArg()),
    orderBy: t.field({ type: LinkOrder, required: false, description: 'The order of the list.' }),
  }));

builder.queryFields((t) => ({
  links: t.field({
    type: LinkConnection,
    description: 'The links of a campaign, newest first by default.',
    args: {
      campaignId: t.arg({ type: 'ID', description: 'The id of the campaign.' }),
      ...linkListArgs(),
      updatedSince: t.arg({
        type: 'DateTime',
        required: false,
        description:
          'Only links that were created or changed at this time or later, the earliest change first. The number of redemptions does not count.',
      }),
    },
    cost: connectionCost(100),
    authScopes: { manages: sponsorship },
    resolve: async (_, { campaignId, ...args }, { viewer, database }, info) => {
      const { organizationId } = memberOf(viewer);
      const isBrief = nodesSelectOnly(briefLink, info);
      const [page] = await listLinks(
        { ...args, isBrief, campaignIds: [campaignId], organizationId },
        pageRequest(args, info, 100),
        { database },
      );
      if (!page) throw notFound('Campaign');
      return page;
    },
  }),
  link: t.field({
    type: Link,
    description: 'A link to a campaign of the organization.',
    args: { linkId: t.arg({ type: 'ID', description: 'The id of the link.' }) },
    authScopes: { manages: sponsorship },
    resolve: (_, { linkId }, { viewer, database }) =>
      readLink({ organizationId: memberOf(viewer).organizationId, linkId }, { database }),
  }),
}));

mutation('createLink', {
  description: 'Creates a link to a campaign.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    campaignId: t.field({ type: 'ID', description: 'The id of the campaign.' }),
    name: t.field({
      type: 'String',
      rule: linkNameRule,
      ...neverNull,
      description: 'If omitted, the name is "Link 1", "Link 2" and so on.',
    }),
    password: t.field({
      type: 'String',
      rule: linkPasswordRule,
      required: false,
      description:
        'The password that people who open the link must enter: at least 4 characters, not counting spaces at its ends, which are part of it. The API never returns it. Null or absent: no password.',
    }),
  }),
  resolve: async (input, context) => ({ link: await createLink(input, writerOf(context)) }),
  payload: (t) => ({ link: t.expose('link', { type: Link, description: 'The new link.' }) }),
});

mutation('updateLink', {
  description: 'Changes a link. Omitted fields stay as they are.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    linkId: t.field({ type: 'ID', description: 'The id of the link.' }),
    name: t.field({
      type: 'String',
      rule: linkNameRule,
      ...neverNull,
      description: 'The new name.',
    }),
    isActive: t.field({
      type: 'Boolean',
      ...neverNull,
      description: 'Whether the link can be redeemed.',
    }),
  }),
  resolve: async (input, context) => ({ link: await updateLink(input, writerOf(context)) }),
  payload: (t) => ({
    link: t.expose('link', { type: Link, description: 'The link after the change.' }),
  }),
});

mutation('setLinkPassword', {
  description: 'Sets the password of a link, or removes it.',
  authScopes: { manages: sponsorship },
  input: (t) => ({
    linkId: t.field({ type: 'ID', description: 'The id of the link.' }),
    password: t.field({
      type: 'String',
      rule: linkPasswordRule,
      ...alwaysSent,
      description: 'The new password; null removes it.',
    }),
  }),
  resolve: async ({ linkId, password }, context) => {
    await setLinkPassword({ linkId, password: password ?? null }, writerOf(context));
    return { linkId };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    link: t.field({
      type: Link,
      description: 'The link after the change.',
      resolve: ({ linkId }, _, { viewer, database }) =>
        readLink({ organizationId: memberOf(viewer).organizationId, linkId }, { database }),
    }),
  }),
});
