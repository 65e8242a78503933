import type { Context } from '../../access/context.ts';
import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { searchArg, text } from '../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { fragment } from '../../platform/database/sql.ts';
import { AppError } from '../../platform/errors.ts';
import { runInBackground } from '../../platform/run-in-background.ts';
import { writerOf } from '../audit/record-change.ts';
import { notifyAddedPerson } from '../memberships/notify-added-person.ts';
import { userManagement } from '../organizations/features.ts';
import { Team } from '../teams/team.graphql.ts';
import { addUser } from './add-user.ts';
import { countExistingAccounts, countLookupOrThrow } from './count-probe.ts';
import { createUser } from './create-user.ts';
import { readMembers } from './read-members.ts';
import './email-address.graphql.ts';
import { listMembers } from './list-members.ts';
import type { Member } from './member.ts';
import { readMember } from './read-member.ts';
import { removeUser } from './remove-user.ts';
import { Role } from './role.graphql.ts';

export const personNameRule = text({ min: 0, max: 200, isName: true });

/**
 * Resolves a field that only organization keys, administrators and the person themselves may read.
 * Other members see the name and address only.
 */
const restrictedField =
  <T>(read: (member: Member) => T) =>
  (member: Member, _: unknown, { viewer }: Context): T => {
    const requester = memberOf(viewer);
    const mayRead =
      requester.kind === 'ORGANIZATION_KEY' || requester.isAdmin || requester.userId === member.id;
    if (!mayRead)
      throw new AppError(
        'FORBIDDEN',
        'Of other members you can see name and address only',
        'MEMBER_FIELD_HIDDEN',
      );
    return read(member);
  };

export const User = builder.objectRef<Member>('User').implement({
  interfaces: [Node],
  description: 'A person as a member of the viewer’s organization.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the account, an opaque string that never changes.',
    }),
    email: t.exposeString('email', {
      description: 'The e-mail address of the account, in lower case.',
    }),
    firstName: t.exposeString('firstName', {
      description: 'The first name, at most 200 characters. Empty if it is unknown.',
    }),
    lastName: t.exposeString('lastName', {
      description: 'The last name, at most 200 characters. Empty if it is unknown.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description:
        'When the person became a member. Members who do not manage users see it only of themselves.',
      resolve: restrictedField(({ createdAt }) => createdAt),
    }),
    lastLogin: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: restrictedField(({ lastLogin }) => lastLogin),
      description: 'When the person last signed in; null before the first sign-in.',
    }),
    isAdmin: t.boolean({
      description:
        'Whether the person is an administrator of the organization. Members who do not manage users see it only of themselves.',
      resolve: restrictedField(({ isAdmin }) => isAdmin),
    }),
    teams: t.field({
      type: [Team],
      description:
        'The teams that the person is in. Members who do not manage users see them only of themselves.',
      resolve: restrictedField(({ teams }) => teams),
    }),
  }),
});

addNodeSource('User', {
  scopes: { manages: userManagement },
  table: fragment`memberships`,
  idColumn: fragment`user_id`,
  load: (userIds, { viewer, database }) =>
    readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
});

export const UserConnection = connectionType('User', User);
export const UserOrder = orderType('UserOrder', {
  CREATED_AT: 'When the account was created.',
});

builder.queryFields((t) => ({
  users: t.field({
    type: UserConnection,
    description: 'The users of the organization, newest first by default.',
    args: {
      ...connectionArgs(),
      search: t.arg(
        searchArg(
          'Text in the e-mail address, the first name or the last name, in any letter case and with or without accents.',
        ),
      ),
      role: t.arg({ type: Role, required: false, description: 'Only users with this role.' }),
      teamId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only the users of this team.',
      }),
      updatedSince: t.arg({
        type: 'DateTime',
        required: false,
        description:
          'Only users that were added, or whose address, names or role were changed at this time or later, the earliest change first. Sign-ins and teams do not count.',
      }),
      orderBy: t.arg({ type: UserOrder, required: false, description: 'The order of the list.' }),
    },
    cost: connectionCost(20),
    authScopes: { manages: userManagement },
    resolve: (_, args, { viewer, database }, info) =>
      listMembers(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 20),
        { database },
      ),
  }),
  user: t.field({
    type: User,
    description: 'A user of the organization.',
    args: { userId: t.arg({ type: 'ID', description: 'The id of the user.' }) },
    authScopes: { manages: userManagement },
    resolve: (_, { userId }, { viewer, database }) =>
      readMember({ organizationId: memberOf(viewer).organizationId, userId }, { database }),
  }),
}));

/** Runs after the response, so that the response time does not depend on the mail. */
export const notifyInBackground = (
  { organizationId, id: userId, email }: Member,
  context: Context,
) =>
  runInBackground(context.log, () => notifyAddedPerson({ organizationId, userId, email }, context));

mutation('createUser', {
  description:
    'Creates an account and a membership; for a person with an account, only the membership.',
  authScopes: { manages: userManagement },
  input: (t) => ({
    email: t.field({
      type: 'EmailAddress',
      description:
        'The e-mail address; stored in lower case, its domain in ASCII. A person with an account is added.',
    }),
    firstName: t.field({
      type: 'String',
      rule: personNameRule,
      ...neverNull,
      description: 'The first name; empty if it is omitted.',
    }),
    lastName: t.field({
      type: 'String',
      rule: personNameRule,
      ...neverNull,
      description: 'The last name; empty if it is omitted.',
    }),
  }),
  resolve: async (input, context) => {
    const { organizationId } = memberOf(context.viewer);
    const [refusal] = await countExistingAccounts(
      { organizationId, emails: [input.email] },
      context,
    );
    if (refusal) throw refusal;
    const created = await createUser(input, writerOf(context));
    if (!created.isNewUser) notifyInBackground(created.user, context);
    return created;
  },
  payload: (t) => ({
    user: t.expose('user', { type: User, description: 'The new member of the organization.' }),
    isNewUser: t.exposeBoolean('isNewUser', {
      description: 'False if the person already had an account.',
    }),
  }),
});

mutation('addUser', {
  description: 'Makes a person with an account a member of the organization.',
  authScopes: { manages: userManagement },
  input: (t) => ({
    email: t.field({
      type: 'EmailAddress',
      description: 'The e-mail address of the account; stored in lower case, its domain in ASCII.',
    }),
  }),
  resolve: async (input, context) => {
    const { organizationId } = memberOf(context.viewer);
    await countLookupOrThrow({ organizationId, email: input.email }, context);
    const user = await addUser(input, writerOf(context));
    notifyInBackground(user, context);
    return { user };
  },
  payload: (t) => ({
    user: t.expose('user', { type: User, description: 'The new member of the organization.' }),
  }),
});

mutation('removeUser', {
  description: 'Deletes a membership. The account itself stays. Administrators cannot be removed.',
  authScopes: { manages: userManagement },
  input: (t) => ({ userId: t.field({ type: 'ID', description: 'The id of the user.' }) }),
  resolve: async ({ userId }, context) => {
    await removeUser({ userId }, writerOf(context));
    return { removedUserId: userId };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    removedUserId: t.exposeID('removedUserId', {
      description: 'The id of the person who was removed.',
    }),
  }),
});
