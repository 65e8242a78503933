import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.ts';
import { type AssistantFieldsFragment, UpdateAssistantDocument } from '../documents.ts';
import { readTerms, TermsFields } from '../terms-fields.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';

type Terms = ReturnType<typeof readTerms>;

/**
 * The form for the settings. While a person changes them, it keeps the version that they have read;
 * otherwise it shows the newest one.
 */
export function TermsForm({ assistant }: { assistant: AssistantFieldsFragment }) {
  const { run, busy, fault, clear } = useGraphMutation(UpdateAssistantDocument, {
    success: t('assistants.saved'),
  });
  const [saved, setSaved] = useState(assistant);
  const [edited, setEdited] = useState<AssistantFieldsFragment>();
  const [refused, setRefused] = useState<Terms>();
  const newest = saved.version > assistant.version ? saved : assistant;
  const shown = edited ?? newest;
  useUnsavedChanges(edited !== undefined);
  const isConflict = fault?.code === 'CONFLICT';

  const save = async (terms: Terms, basedOn: number) => {
    setRefused(terms);
    const result = await run({ assistantId: assistant.id, ...terms, basedOn });
    if (!result) return;
    setSaved(result.updateAssistant.assistant);
    setEdited(undefined);
    setRefused(undefined);
  };
  const takeTheirs = (theirs: Partial<AssistantFieldsFragment>) => {
    setSaved({ ...newest, ...theirs });
    setEdited(undefined);
    setRefused(undefined);
    clear();
  };
  return (
    <Card title={t('assistants.modelAndInstructions')}>
      <div onInput={() => setEdited((current) => current ?? newest)}>
        <Form
          key={shown.version}
          onSubmit={(data) => save(readTerms(data), shown.version)}
          action={{ busy, fault: isConflict ? undefined : fault }}
          label={t('assistants.modelAndInstructions')}
          submit={t('assistants.save')}
        >
          <TermsFields terms={shown} />
        </Form>
      </div>
      {isConflict && refused && (
        <ConflictDialog
          assistantId={assistant.id}
          mine={refused}
          busy={busy}
          onKeepMine={(theirs) => save(refused, theirs)}
          onTakeTheirs={takeTheirs}
          onClose={clear}
        />
      )}
    </Card>
  );
}
