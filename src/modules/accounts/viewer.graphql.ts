import type { Viewer } from '../../access/context.ts';
import { builder } from '../../graph/schema/builder.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { Feature } from '../organizations/feature.graphql.ts';
import { namesOfFeatures } from '../organizations/features.ts';
import { Membership, Organization } from '../organizations/organization.graphql.ts';
import { Language } from './language.graphql.ts';

const ViewerKind = builder.enumType('ViewerKind', {
  description: 'How the sender of a request has identified itself.',
  values: {
    ORGANIZATION_KEY: { description: 'With an API key that acts as the organization.' },
    USER_KEY: { description: 'With an API key that acts as one member of the organization.' },
    SESSION: { description: 'As a person who is signed in with a browser.' },
  } as const,
});

export const Person = builder.prismaObject('User', {
  variant: 'Person',
  description: 'The owner of an account, independent of organizations.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The id of the account, an opaque string that never changes. As a member of an organization the person has the same id.',
    }),
    email: t.exposeString('email', {
      description:
        'The e-mail address of the account, in lower case. It is unique among all accounts.',
    }),
    emailVerified: t.exposeBoolean('emailVerified', {
      description: 'Whether a link in a mail has confirmed the address.',
    }),
    hasPassword: t.boolean({
      description: 'False for a person who signs in only with a provider.',
      resolve: async ({ id }, _, { database }) =>
        (await database.prisma.account.count({ where: { userId: id, providerId: 'credential' } })) >
        0,
    }),
    firstName: t.exposeString('firstName', {
      description: 'The first name, 0 to 200 characters. Empty until the person has given one.',
    }),
    lastName: t.exposeString('lastName', {
      description: 'The last name, 0 to 200 characters. Empty until the person has given one.',
    }),
    language: t.expose('language', {
      type: Language,
      nullable: true,
      description:
        'The language of the console and of mails. Null until the person has chosen one or has signed in with a browser that names one; mails are then in English.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the account was created.',
    }),
    lastLogin: t.expose('lastLogin', {
      type: 'DateTime',
      nullable: true,
      description: 'When the person last signed in; null before the first sign-in.',
    }),
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
    kind: t.expose('kind', {
      type: ViewerKind,
      description: 'Whether the request came with an API key or from a signed-in person.',
    }),
    isAdmin: t.boolean({
      description:
        'Whether the viewer is an administrator of the organization of the request. False for an organization key.',
      resolve: (viewer) => viewer.kind !== 'ORGANIZATION_KEY' && viewer.isAdmin,
    }),
    isPlatformSupport: t.boolean({
      description:
        'Whether the viewer belongs to the support of the platform and may set the terms of other organizations. False for every API key.',
      resolve: (viewer) => viewer.kind === 'SESSION' && viewer.isPlatformSupport,
    }),
    lacksSecondFactor: t.boolean({
      description:
        'Whether the organization requires a second factor that the account lacks. Until it is set up, the viewer has no organization and no platform support role.',
      resolve: (viewer) => viewer.kind === 'SESSION' && viewer.lacksSecondFactor,
    }),
    features: t.field({
      type: [Feature],
      description: 'The features that are enabled for the organization of the request.',
      resolve: ({ features }) => namesOfFeatures(features),
    }),
    person: t.prismaField({
      type: Person,
      nullable: true,
      description:
        'The person who sends the request or owns its key; null for an organization key.',
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
