import { accountOf } from '../../access/scopes.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { Person } from '../accounts/viewer.graphql.ts';
import { updateProfile } from './update-profile.ts';
import { personNameRule } from './user.graphql.ts';

mutation('updateProfile', {
  description: 'Changes the viewer’s own name in every organization.',
  authScopes: { account: true },
  input: (t) => ({
    firstName: t.field({
      type: 'String',
      rule: personNameRule,
      description: 'The new first name.',
    }),
    lastName: t.field({ type: 'String', rule: personNameRule, description: 'The new last name.' }),
  }),
  resolve: async (names, { viewer, database, clock }) => {
    const { userId } = accountOf(viewer);
    await updateProfile({ ...names, userId }, { database, clock });
    return { userId };
  },
  payload: (t) => ({
    person: t.prismaField({
      type: Person,
      description: 'The viewer with the new name.',
      resolve: (query, { userId }, _, { database }) =>
        database.prisma.user.findUniqueOrThrow({ ...query, where: { id: userId } }),
    }),
  }),
});
