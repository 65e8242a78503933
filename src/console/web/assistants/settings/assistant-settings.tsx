import { useLocation } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
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
  const { run, busy, fault } = useGraphMutation(UpdateAssistantDocument);
  const toast = useToast();
  const save = async (data: FormData) => {
    if (await run({ assistantId: assistant.id, ...readTerms(data) })) toast('Saved');
  };
  return (
    <Card title="Model and instructions">
      <Form key={assistant.updatedAt} onSubmit={save} fault={fault} label="Model and instructions">
        <TermsFields terms={assistant} />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Save
          </Button>
        </FormButtons>
      </Form>
    </Card>
  );
}

function DeleteAssistant({ assistant: { id, name } }: { assistant: AssistantFieldsFragment }) {
  const { run, fault } = useGraphMutation(DeleteAssistantDocument, { invalidates: ['Assistant'] });
  const toast = useToast();
  const [, go] = useLocation();
  const remove = async () => {
    if (!(await run({ assistantId: id }))) return;
    toast(`${name} was deleted`);
    go('~/assistants');
  };
  return (
    <Card title="Delete">
      {fault && <FaultNote fault={fault} />}
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
      />
    </Card>
  );
}
