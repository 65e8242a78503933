import { builder } from '../../graph/builder.ts';
import { textScalar } from '../../graph/scalars.ts';
import { memberOf } from '../../graph/scopes.ts';
import { writerOf } from '../audit/record-change.ts';
import { userManagement } from '../organizations/features.ts';
import { Team } from '../teams/team.graphql.ts';
import { addUser } from './add-user.ts';
import { createUser } from './create-user.ts';
import './email-address.ts';
import { listMembers, type MemberPage } from './list-members.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';
import { removeUser } from './remove-user.ts';
import { Role } from './role.graphql.ts';
import { setUserRole } from './set-user-role.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    PersonName: { Input: string; Output: string };
  }
}

builder.addScalarType('PersonName', textScalar('PersonName', { min: 0, max: 200, description: 'A first or last name.' }));

export const User = builder.objectRef<Member>('User').implement({
  description: 'A person as a member of the organization that asks.',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    firstName: t.exposeString('firstName'),
    lastName: t.exposeString('lastName'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastLogin: t.expose('lastLogin', { type: 'DateTime', nullable: true, description: 'Null before the first sign-in.' }),
    isAdmin: t.exposeBoolean('isAdmin'),
    teams: t.expose('teams', { type: [Team] }),
  }),
});

export const UserPage = builder.objectRef<MemberPage>('UserPage').implement({
  fields: (t) => ({
    // The page's own field has counted its size already.
    items: t.expose('items', { type: [User], complexity: { multiplier: 1 } }),
    total: t.exposeInt('total'),
    page: t.expose('page', { type: 'PageNumber' }),
    pageSize: t.exposeInt('pageSize'),
    totalPages: t.exposeInt('totalPages'),
  }),
});

const CreatedUser = builder.objectRef<{ user: Member; isNewUser: boolean }>('CreatedUser').implement({
  fields: (t) => ({
    user: t.expose('user', { type: User }),
    isNewUser: t.exposeBoolean('isNewUser', { description: 'False where the person had an account already.' }),
  }),
});

const RemovedUser = builder.objectRef<{ userId: string }>('RemovedUser').implement({
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    userId: t.exposeID('userId'),
  }),
});

builder.queryFields((t) => ({
  users: t.field({
    type: UserPage,
    description: 'The users of the organization, newest first.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
      search: t.arg({ type: 'SearchText', required: false, description: 'Found in the e-mail address, the first or the last name.' }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    authScopes: { manages: userManagement },
    resolve: (_, args, { viewer, database }) => listMembers({ ...args, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
  user: t.field({
    type: User,
    args: { userId: t.arg({ type: 'ResourceId' }) },
    authScopes: { manages: userManagement },
    resolve: (_, { userId }, { viewer, database }) => readMember({ organizationId: memberOf(viewer).organizationId, userId }, { database }),
  }),
}));

builder.mutationFields((t) => ({
  createUser: t.field({
    type: CreatedUser,
    description: 'Makes an account and a membership; a person who has an account only becomes a member.',
    args: {
      email: t.arg({ type: 'EmailAddress' }),
      firstName: t.arg({ type: 'PersonName', required: false }),
      lastName: t.arg({ type: 'PersonName', required: false }),
    },
    authScopes: { manages: userManagement },
    resolve: (_, input, context) => createUser(input, writerOf(context)),
  }),
  addUser: t.field({
    type: User,
    description: 'Makes a person who has an account a member.',
    args: { email: t.arg({ type: 'EmailAddress' }) },
    authScopes: { manages: userManagement },
    resolve: (_, input, context) => addUser(input, writerOf(context)),
  }),
  removeUser: t.field({
    type: RemovedUser,
    description: 'Ends a membership. The account itself stays. Administrators can not be removed.',
    args: { userId: t.arg({ type: 'ResourceId' }) },
    authScopes: { manages: userManagement },
    resolve: async (_, { userId }, context) => {
      await removeUser({ userId }, writerOf(context));
      return { userId };
    },
  }),
  setUserRole: t.field({
    type: User,
    description: 'Makes a member an administrator or the other way round. The last administrator stays one.',
    args: { userId: t.arg({ type: 'ResourceId' }), role: t.arg({ type: Role }) },
    authScopes: { administrator: true },
    resolve: (_, input, context) => setUserRole(input, writerOf(context)),
  }),
}));
