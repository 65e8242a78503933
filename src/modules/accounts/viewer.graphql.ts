import { builder } from '../../graph/builder.ts';
import type { Viewer } from '../../graph/context.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { Membership, Organization } from '../organizations/organization.graphql.ts';

const ViewerKind = builder.enumType('ViewerKind', {
  values: ['ORGANIZATION_KEY', 'USER_KEY', 'SESSION'] as const,
});

export const Person = builder.prismaObject('User', {
  variant: 'Person',
  description: 'The owner of an account, whatever organizations they are in.',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    emailVerified: t.exposeBoolean('emailVerified', {
      description: 'Whether a link in a mail has confirmed the address.',
    }),
    hasPassword: t.boolean({
      description: 'False for who has only ever signed in with another site.',
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

// The order in which a session without a choice takes its organization.
const defaultFirst: Prisma.MembershipOrderByWithRelationInput[] = [
  { wasAdded: 'asc' },
  { acceptedAt: { sort: 'asc', nulls: 'last' } },
  { createdAt: 'asc' },
  { organizationId: 'asc' },
];

const ViewerType = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Who asks.',
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
        'Whether a second factor is required here that the account lacks. Until it is set up, the viewer is in no organization and no platform support.',
      resolve: (viewer) => viewer.kind === 'SESSION' && viewer.lacksSecondFactor,
    }),
    features: t.stringList({
      description: 'What is switched on for the organization.',
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
      description: 'The organization that the viewer asks in; null for a person who is in none.',
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
        'All organizations of a person who is signed in, the default one first. A key stands for one organization and is told of no other.',
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
    description: 'Who asks; null for nobody.',
    // Open on purpose: this is how a page finds out whether anybody is signed in.
    authScopes: {},
    resolve: (_, __, { viewer }) => viewer,
  }),
);
