import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { countMembers } from './count-members.ts';
import { Feature } from './feature.graphql.ts';
import { namesOfFeatures } from './features.ts';

export const SecondFactorPolicy = builder.enumType('SecondFactorPolicy', {
  description:
    'Who needs a second factor to use the organization while signed in. API keys are not affected.',
  values: {
    OPTIONAL: { description: 'Nobody needs a second factor; everybody may use one.' },
    ADMINISTRATORS: { description: 'Only administrators need one.' },
    EVERYBODY: { description: 'Every member needs one.' },
  } as const,
});

export const Organization = builder.prismaObject('Organization', {
  description:
    'A tenant of the platform: members, teams, assistants, keys and campaigns belong to exactly one organization.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the organization, an opaque string that never changes.',
    }),
    slug: t.exposeString('slug', {
      description: 'The name of the organization in URLs; unique among all organizations.',
    }),
    name: t.exposeString('name', {
      description:
        'The display name, 1 to 80 characters. Several organizations can have the same one.',
    }),
    features: t.field({
      type: [Feature],
      description: 'The features that are switched on for the organization.',
      select: { features: true },
      resolve: ({ features }) => namesOfFeatures(features),
    }),
    seatLimit: t.exposeInt('seatLimit', {
      nullable: true,
      description: 'The maximum number of members; null means no limit.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the organization was created.',
    }),
    sponsoredUntil: t.expose('sponsoredUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'The end of the sponsorship of this workspace; null if it was never sponsored.',
    }),
    secondFactorPolicy: t.expose('secondFactorPolicy', {
      type: SecondFactorPolicy,
      description: 'Who needs a second factor to use the organization while signed in.',
    }),
    memberCount: t.loadable({
      type: 'Int',
      description: 'How many members the organization has.',
      load: (organizationIds: string[], { database }) =>
        countMembers(organizationIds, { database }),
      // No cache: a request can contain several mutations, and each must read the current count.
      loaderOptions: { cache: false },
      resolve: (organization) => organization.id,
    }),
  }),
});

export const Membership = builder.prismaObject('Membership', {
  description: 'The membership of a person in an organization.',
  select: { role: true },
  fields: (t) => ({
    organization: t.relation('organization', {
      description: 'The organization that the person belongs to.',
    }),
    isAdmin: t.boolean({
      description: 'Whether the person is an administrator of the organization.',
      resolve: ({ role }) => role === 'ADMIN',
    }),
    joinedAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the person became a member.',
    }),
    isAccepted: t.boolean({
      description:
        'False if somebody else added the person and the person has not accepted or opened the organization yet.',
      select: { acceptedAt: true },
      resolve: ({ acceptedAt }) => acceptedAt !== null,
    }),
  }),
});

builder.queryField('organization', (t) =>
  t.prismaField({
    type: Organization,
    description: 'The viewer’s current organization.',
    authScopes: { member: true },
    resolve: (query, _, __, { viewer, database }) =>
      database.prisma.organization.findUniqueOrThrow({
        ...query,
        where: { id: memberOf(viewer).organizationId },
      }),
  }),
);
