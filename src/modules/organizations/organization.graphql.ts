import { builder } from '../../graph/builder.ts';
import { memberOf } from '../../graph/scopes.ts';
import { countMembers } from './count-members.ts';

export const SecondFactorPolicy = builder.enumType('SecondFactorPolicy', {
  description:
    'Who must have a second factor to work in the organization while signed in. Keys are not concerned.',
  values: { OPTIONAL: { description: 'Nobody.' }, ADMINISTRATORS: {}, EVERYBODY: {} } as const,
});

export const Organization = builder.prismaObject('Organization', {
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    slug: t.exposeString('slug', {
      description: 'The name in addresses; unique among all organizations.',
    }),
    name: t.exposeString('name'),
    features: t.exposeStringList('features', {
      description: 'What is switched on for the organization.',
    }),
    seatLimit: t.exposeInt('seatLimit', {
      nullable: true,
      description: 'How many members there can be; null sets no limit.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    sponsoredUntil: t.expose('sponsoredUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when somebody pays for this workspace; null where nobody does.',
    }),
    secondFactorPolicy: t.expose('secondFactorPolicy', { type: SecondFactorPolicy }),
    memberCount: t.loadable({
      type: 'Int',
      load: (organizationIds: string[], { database }) =>
        countMembers(organizationIds, { database }),
      // A mutation after another in one request must not read the count from before.
      loaderOptions: { cache: false },
      resolve: (organization) => organization.id,
    }),
  }),
});

export const Membership = builder.prismaObject('Membership', {
  description: 'A person’s place in an organization.',
  select: { role: true },
  fields: (t) => ({
    organization: t.relation('organization'),
    isAdmin: t.boolean({ resolve: ({ role }) => role === 'ADMIN' }),
    joinedAt: t.expose('createdAt', { type: 'DateTime' }),
    isAccepted: t.boolean({
      description:
        'False while somebody else has made the person a member and the person has not visited the organization yet.',
      select: { acceptedAt: true },
      resolve: ({ acceptedAt }) => acceptedAt !== null,
    }),
  }),
});

builder.queryField('organization', (t) =>
  t.prismaField({
    type: Organization,
    description: 'The organization that the viewer asks in.',
    authScopes: { member: true },
    resolve: (query, _, __, { viewer, database }) =>
      database.prisma.organization.findUniqueOrThrow({
        ...query,
        where: { id: memberOf(viewer).organizationId },
      }),
  }),
);
