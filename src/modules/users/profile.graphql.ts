import { accountOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { Person } from '../accounts/viewer.graphql.ts';
import { updateProfile } from './update-profile.ts';

builder.mutationField('updateProfile', (t) =>
  t.prismaField({
    type: Person,
    description: 'Changes the viewer’s own name in every organization.',
    args: { firstName: t.arg({ type: 'PersonName' }), lastName: t.arg({ type: 'PersonName' }) },
    authScopes: { account: true },
    resolve: async (query, _, names, { viewer, database, clock }) => {
      const { userId } = accountOf(viewer);
      await updateProfile({ ...names, userId }, { database, clock });
      return database.prisma.user.findUniqueOrThrow({ ...query, where: { id: userId } });
    },
  }),
);
