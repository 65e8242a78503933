import type { Viewer } from '../../access/context.ts';
import { builder } from '../../graph/schema/builder.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { Membership, Organization } from '../organizations/organization.graphql.ts';

const ViewerKind = builder.enumType('ViewerKind', {
  values: ['ORGANIZATION_KEY', 'USER_KEY', 'SESSION'] as const,
});

export const Person = builder.prismaObject('User', {
  variant: 'Person',
  description: 'The owner of an account, independent of organizations.',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    emailVerified: t.exposeBoolean('emailVerified', {
      description: 'Whether a link in a mail has confirmed the address.',
    }),
    hasPassword: t.boolean({
      description: 'False for a person who signs in only with a provider.',
      resolve: async ({ id }, _, { database }) =>
        (await database.prisma.account.count({ where: { userId: id, providerId: 'credential' } })) >
        0,
    }),
    firstName: t.exposeString('firstName'),
    lastName: t.exposeString('lastName'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastLogin: t.expose('lastLogin', { type: 'DateTime', nullable: true }),
  }),
});

// The order that decides which organization is the default one of a session.
const defaultFirst: Prisma.MembershipOrderByWithRelationInput[] = [
  { wasAdded: 'asc' },
  { acceptedAt: { sort: 'asc', nulls: 'last' } },
  { createdAt: 'asc' },
  { organizationId: 'asc' },
];

const ViewerType = builder.objectRef<Viewer>('Viewer').implement({
  description: 'The sender of the request.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ViewerKind }),
    isAdmin: t.boolean({
      resolve: (viewer) => viewer.kind !== 'ORGANIZATION_KEY' && viewer.isAdmin,
    }),
    isPlatformSupport: t.boolean({
      resolve: (viewer) => viewer.kind === 'SESSION' && viewer.isPlatformSupport,
    }),
    lacksSecondFactor: t.boolean({
      description:
        'Whether the organization requires a second factor that the account lacks. Until it is set up, the viewer has no organization and no platform support role.',
      resolve: (viewer) => viewer.kind === 'SESSION' && viewer.lacksSecondFactor,
    }),
    features: t.stringList({
      description: 'The features that are enabled for the organization.',
      resolve: ({ features }) => [...features],
    }),
    person: t.prismaField({
      type: Person,
      nullable: true,
      description: 'Null for an organization key.',
      resolve: (query, viewer, _, { database }) =>
        viewer.kind === 'ORGANIZATION_KEY'
          ? null
          : database.prisma.user.findUniqueOrThrow({ ...query, where: { id: viewer.userId } }),
    }),
    organization: t.prismaField({
      type: Organization,
      nullable: true,
      description: 'The organization of the request; null for a person without an organization.',
      resolve: (query, { organizationId }, _, { database }) =>
        organizationId === null
          ? null
          : database.prisma.organization.findUniqueOrThrow({
              ...query,
              where: { id: organizationId },
            }),
    }),
    memberships: t.prismaField({
      type: [Membership],
      description:
        'All organizations of a signed-in person, the default one first. Empty for an API key, which belongs to one organization.',
      resolve: (query, viewer, _, { database }) =>
        viewer.kind === 'SESSION'
          ? database.prisma.membership.findMany({
              ...query,
              where: { userId: viewer.userId },
              orderBy: defaultFirst,
            })
          : [],
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    nullable: true,
    description: 'The sender of the request; null for an anonymous request.',
    // This field needs no scope: pages use it to find out whether anybody is signed in.
    authScopes: {},
    resolve: (_, __, { viewer }) => viewer,
  }),
);
