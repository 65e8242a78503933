import { personOf, requireArea } from '../../access/scopes.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { writerOf } from '../audit/record-change.ts';
import { assistantFiles } from '../organizations/features.ts';
import { Assistant, assistantNameRule } from './assistant.graphql.ts';
import { duplicateAssistant } from './duplicate-assistant.ts';

mutation('duplicateAssistant', {
  description:
    'Creates an assistant with the instructions and settings of another one that the caller may change, without its shares. The caller becomes its owner.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant to copy.' }),
    name: t.field({
      type: 'String',
      rule: assistantNameRule,
      required: false,
      description: 'The display name of the copy. The default is “Copy of” with the name.',
    }),
    withFiles: t.field({
      type: 'Boolean',
      required: false,
      description:
        'Whether the copy gets copies of the files, at most 1,000, which are then processed like uploaded ones. Files that could not be read are left out. The default is false.',
    }),
  }),
  resolve: async (input, context) => {
    const person = personOf(context.viewer);
    if (input.withFiles) requireArea(person, assistantFiles);
    return {
      assistant: await duplicateAssistant({ ...input, person }, writerOf(context), context.files),
    };
  },
  payload: (t) => ({
    assistant: t.expose('assistant', { type: Assistant, description: 'The copy.' }),
  }),
});
