import { accountOf } from '../../access/scopes.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { Language } from '../accounts/language.graphql.ts';
import { Person } from '../accounts/viewer.graphql.ts';
import { setLanguage } from './set-language.ts';
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

mutation('setLanguage', {
  description: 'Chooses the language in which the viewer uses the console and gets mails.',
  authScopes: { account: true },
  input: (t) => ({
    language: t.field({ type: Language, description: 'The new language.' }),
  }),
  resolve: async ({ language }, { viewer, database, clock }) => {
    const { userId } = accountOf(viewer);
    await setLanguage({ userId, language }, { database, clock });
    return { userId };
  },
  payload: (t) => ({
    person: t.prismaField({
      type: Person,
      description: 'The viewer with the new language.',
      resolve: (query, { userId }, _, { database }) =>
        database.prisma.user.findUniqueOrThrow({ ...query, where: { id: userId } }),
    }),
  }),
});
