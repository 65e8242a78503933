import { useLocation } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { Notice } from '../../ui/status.tsx';
import {
  type AssistantFieldsFragment,
  DeleteAssistantDocument,
  UpdateAssistantDocument,
} from '../documents.ts';
import { mayEdit, mayShare } from '../levels.ts';
import { readTerms, TermsFields } from '../terms-fields.tsx';
import { Sharing } from './sharing.tsx';

export function AssistantSettings({ assistant }: { assistant: AssistantFieldsFragment }) {
  if (!mayEdit(assistant.myLevel)) return <ReadOnlyTerms assistant={assistant} />;
  return (
    <>
      <TermsForm assistant={assistant} />
      {mayShare(assistant.myLevel) && <Sharing assistantId={assistant.id} />}
      {mayShare(assistant.myLevel) && <DeleteAssistant assistant={assistant} />}
    </>
  );
}

function ReadOnlyTerms({
  assistant: { model, stepLimit },
}: {
  assistant: AssistantFieldsFragment;
}) {
  return (
    <>
      <Notice>You can chat with this assistant. Only its owner and editors can change it.</Notice>
      <Card title="Model and instructions">
        <dl className="assistants-facts">
          <dt>Model</dt>
          <dd>{model ?? 'Default model'}</dd>
          <dt>Step limit</dt>
          <dd>{stepLimit}</dd>
        </dl>
      </Card>
    </>
  );
}

function TermsForm({ assistant }: { assistant: AssistantFieldsFragment }) {
  const { run, busy, fault } = useGraphMutation(UpdateAssistantDocument, { success: 'Saved' });
  const save = (data: FormData) => run({ assistantId: assistant.id, ...readTerms(data) });
  return (
    <Card title="Model and instructions">
      <Form
        key={assistant.updatedAt}
        onSubmit={save}
        action={{ busy, fault }}
        label="Model and instructions"
        submit="Save"
        guardsChanges
      >
        <TermsFields terms={assistant} />
      </Form>
    </Card>
  );
}

function DeleteAssistant({ assistant: { id, name } }: { assistant: AssistantFieldsFragment }) {
  const { run, busy, fault } = useGraphMutation(DeleteAssistantDocument, {
    invalidates: ['Assistant'],
    success: `${name} was deleted`,
  });
  const [, go] = useLocation();
  const remove = async () => {
    if (await run({ assistantId: id })) go('~/assistants');
  };
  return (
    <Card title="Delete">
      <p>
        This deletes the assistant and its files for everybody it is shared with. It cannot be
        undone.
      </p>
      <ConfirmButton
        label="Delete assistant"
        title={`Delete ${name}?`}
        question="This deletes the assistant and its files for everybody it is shared with. It cannot be undone."
        confirmLabel="Delete"
        onConfirm={remove}
        action={{ busy, fault }}
      />
    </Card>
  );
}
