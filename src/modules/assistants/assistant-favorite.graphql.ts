import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { Assistant } from './assistant.graphql.ts';
import { readFavorites, setFavorite } from './favorites.ts';
import { requireAssistant } from './require-assistant.ts';

builder.objectField(Assistant, 'isFavorite', (t) =>
  t.loadable({
    type: 'Boolean',
    description: 'Whether the caller has marked the assistant as a favourite.',
    load: (assistantIds: string[], { viewer, database }) => {
      const { organizationId, userId } = personOf(viewer);
      return readFavorites({ assistantIds, organizationId, userId }, database);
    },
    // Several mutations of one request each see the changes of the ones before them.
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

mutation('setAssistantFavorite', {
  description:
    'Marks an assistant as a favourite of the caller, or no longer. Nobody else sees the mark.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    isFavorite: t.boolean({ description: 'Whether it is a favourite from now on.' }),
  }),
  resolve: async (input, { viewer, database, clock }) => {
    const person = personOf(viewer);
    await setFavorite({ ...input, person }, { database, clock });
    const { assistantId } = input;
    return {
      assistant: await requireAssistant({ assistantId, person, level: 'VIEW' }, { database }),
    };
  },
  payload: (t) => ({
    assistant: t.expose('assistant', {
      type: Assistant,
      description: 'The assistant as the caller sees it now.',
    }),
  }),
});
