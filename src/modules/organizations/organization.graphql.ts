import { builder } from '../../graph/builder.ts';
import { memberOf } from '../../graph/scopes.ts';
import { countMembers } from './count-members.ts';

export const Organization = builder.prismaObject('Organization', {
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    slug: t.exposeString('slug', { description: 'The name in addresses; unique among all organizations.' }),
    name: t.exposeString('name'),
    features: t.exposeStringList('features', { description: 'What is switched on for the organization.' }),
    seatLimit: t.exposeInt('seatLimit', { nullable: true, description: 'How many members there can be; null sets no limit.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    sponsoredUntil: t.expose('sponsoredUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when somebody pays for this workspace; null where nobody does.',
    }),
    memberCount: t.loadable({
      type: 'Int',
      load: (organizationIds: string[], { database }) => countMembers(organizationIds, { database }),
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
  }),
});

builder.queryField('organization', (t) =>
  t.prismaField({
    type: Organization,
    description: 'The organization that the viewer asks in.',
    authScopes: { member: true },
    resolve: (query, _, __, { viewer, database }) =>
      database.prisma.organization.findUniqueOrThrow({ ...query, where: { id: memberOf(viewer).organizationId } }),
  }),
);
