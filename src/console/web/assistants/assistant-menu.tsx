import { useLocation } from 'wouter';
import { useGraphMutation } from '../graph/use-graph.ts';
import { t } from '../texts/text.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { type AssistantFieldsFragment, DuplicateAssistantDocument } from './documents.ts';
import { mayEdit } from './levels.ts';

/** What can be done with an assistant besides its pages. */
export function AssistantMenu({ assistant }: { assistant: AssistantFieldsFragment }) {
  const { run } = useGraphMutation(DuplicateAssistantDocument, {
    invalidates: ['Assistant'],
    success: ({ duplicateAssistant }) =>
      t('assistants.duplicated', { name: duplicateAssistant.assistant.name }),
  });
  const [, go] = useLocation();
  if (!mayEdit(assistant.myLevel)) return null;
  const duplicate = async () => {
    const result = await run({ assistantId: assistant.id });
    if (result) go(`~/assistants/${result.duplicateAssistant.assistant.id}/settings`);
  };
  return (
    <Menu label={t('assistants.actionsFor', { name: assistant.name })}>
      {(close) => (
        <MenuItem
          icon="copy"
          onClick={() => {
            close();
            duplicate();
          }}
        >
          {t('assistants.duplicate')}
        </MenuItem>
      )}
    </Menu>
  );
}
