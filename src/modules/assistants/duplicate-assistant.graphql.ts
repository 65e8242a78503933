import { personOf } from '../../access/scopes.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { writerOf } from '../audit/record-change.ts';
import { Assistant, assistantNameRule } from './assistant.graphql.ts';
import { duplicateAssistant } from './duplicate-assistant.ts';

mutation('duplicateAssistant', {
  description:
    'Creates an assistant with the instructions and settings of another one that the caller may change, without its files and shares. The caller becomes its owner.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant to copy.' }),
    name: t.field({
      type: 'String',
      rule: assistantNameRule,
      required: false,
      description: 'The display name of the copy. The default is “Copy of” with the name.',
    }),
  }),
  resolve: async (input, context) => ({
    assistant: await duplicateAssistant(
      { ...input, person: personOf(context.viewer) },
      writerOf(context),
    ),
  }),
  payload: (t) => ({
    assistant: t.expose('assistant', { type: Assistant, description: 'The copy.' }),
  }),
});
