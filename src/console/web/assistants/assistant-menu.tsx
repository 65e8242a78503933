import { useLocation } from 'wouter';
import { useGraphMutation } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { t } from '../texts/text.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { type AssistantFieldsFragment, DuplicateAssistantDocument } from './documents.ts';
import { mayEdit } from './levels.ts';

/** What can be done with an assistant besides its pages. */
export function AssistantMenu({ assistant }: { assistant: AssistantFieldsFragment }) {
  const { run } = useGraphMutation(DuplicateAssistantDocument, {
    invalidates: ['Assistant', 'AssistantFile'],
    success: ({ duplicateAssistant: { assistant: copy } }, { withFiles }) =>
      t(withFiles ? 'assistants.duplicatedWithFiles' : 'assistants.duplicated', {
        name: copy.name,
      }),
  });
  const [, go] = useLocation();
  const hasFiles = useViewer().features.includes('ASSISTANT_FILES');
  if (!mayEdit(assistant.myLevel)) return null;
  const duplicate = async (withFiles: boolean) => {
    const { pathname } = location;
    const result = await run({ assistantId: assistant.id, withFiles });
    // Whoever has opened another page meanwhile stays there.
    if (result && location.pathname === pathname)
      go(`~/assistants/${result.duplicateAssistant.assistant.id}/settings`);
  };
  return (
    <Menu label={t('assistants.actionsFor', { name: assistant.name })}>
      {(close) =>
        (hasFiles ? [true, false] : [false]).map((withFiles) => (
          <MenuItem
            key={String(withFiles)}
            icon="copy"
            onClick={() => {
              close();
              duplicate(withFiles);
            }}
          >
            {t(withFiles ? 'assistants.duplicateWithFiles' : 'assistants.duplicate')}
          </MenuItem>
        ))
      }
    </Menu>
  );
}
