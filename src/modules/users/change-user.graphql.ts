import type { Context } from '../../access/context.ts';
import { memberOf, requireArea, signedInMember } from '../../access/scopes.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { notifyOwner, roleChangedNotice } from '../accounts/emails/notify-owner.ts';
import { requireRecentSignIn } from '../accounts/sign-in/recent-sign-in.ts';
import { writerOf } from '../audit/record-change.ts';
import { userManagement, userRoles } from '../organizations/features.ts';
import type { Member } from './member.ts';
import { Role } from './role.graphql.ts';
import { setUserRole } from './set-user-role.ts';
import { updateUser } from './update-user.ts';
import { personNameRule, User } from './user.graphql.ts';

async function notifyOfRole({ id: userId, isAdmin }: Member, context: Context): Promise<void> {
  const [organization] = await context.database.sql<{ name: string }>`
    select name from organizations where id = ${memberOf(context.viewer).organizationId}`;
  const notice = roleChangedNotice(isAdmin ? 'ADMIN' : 'MEMBER', organization?.name ?? '');
  notifyOwner({ userId, notice }, context);
}

/**
 * Changing a role needs the feature `userRoles` with a key, and a recent sign-in of a person.
 */
async function requireRoleChange(context: Context): Promise<void> {
  const member = memberOf(context.viewer);
  requireArea(member, userRoles);
  if (member.kind === 'SESSION') await requireRecentSignIn(member.sessionId, context);
}

mutation('updateUser', {
  description:
    'Changes the names that the organization gives a user, and the role. Omitted fields stay as they are. Names that a person has set for themselves cannot be changed.',
  authScopes: { manages: userManagement },
  input: (t) => ({
    userId: t.field({ type: 'ID', description: 'The id of the user.' }),
    firstName: t.field({
      type: 'String',
      rule: personNameRule,
      ...neverNull,
      description: 'The new first name.',
    }),
    lastName: t.field({
      type: 'String',
      rule: personNameRule,
      ...neverNull,
      description: 'The new last name.',
    }),
    role: t.field({
      type: Role,
      ...neverNull,
      description:
        'ADMIN makes a member an administrator, which a key can do only if the organization has the feature userRoles. An administrator cannot be made a member.',
    }),
  }),
  resolve: async (input, context) => {
    if (input.role) await requireRoleChange(context);
    const { user, isRoleChanged } = await updateUser(input, writerOf(context));
    if (isRoleChanged) await notifyOfRole(user, context);
    return { user };
  },
  payload: (t) => ({
    user: t.expose('user', { type: User, description: 'The user after the change.' }),
  }),
});

mutation('setUserRole', {
  description:
    'Makes a member an administrator, or an administrator a member. The last administrator cannot be made a member.',
  authScopes: { administrator: true },
  input: (t) => ({
    userId: t.field({ type: 'ID', description: 'The id of the user.' }),
    role: t.field({ type: Role, description: 'The new role.' }),
  }),
  resolve: async (input, context) => {
    await requireRecentSignIn(signedInMember(context.viewer).sessionId, context);
    const user = await setUserRole(input, writerOf(context));
    await notifyOfRole(user, context);
    return { user };
  },
  payload: (t) => ({
    user: t.expose('user', { type: User, description: 'The user with the new role.' }),
  }),
});
