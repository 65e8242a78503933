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
  type AssistantPartsFragment,
  DeleteAssistantDocument,
  UpdateAssistantDocument,
} from '../documents.ts';
import { mayEdit, mayShare } from '../levels.ts';
import { TermsFields, termsIn } from '../terms-fields.tsx';
import { Sharing } from './sharing.tsx';

export function AssistantSettings({ assistant }: { assistant: AssistantPartsFragment }) {
  if (!mayEdit(assistant.myLevel)) return <ViewedTerms assistant={assistant} />;
  return (
    <>
      <Terms assistant={assistant} />
      {mayShare(assistant.myLevel) && <Sharing assistantId={assistant.id} />}
      {mayShare(assistant.myLevel) && <Deletion assistant={assistant} />}
    </>
  );
}

function ViewedTerms({ assistant: { model, stepLimit } }: { assistant: AssistantPartsFragment }) {
  return (
    <>
      <Notice>You may chat with this assistant. Its owner decides who may change it.</Notice>
      <Card title="How it answers">
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

function Terms({ assistant }: { assistant: AssistantPartsFragment }) {
  const { run, busy, fault } = useGraphMutation(UpdateAssistantDocument);
  const toast = useToast();
  const save = async (data: FormData) => {
    if (await run({ assistantId: assistant.id, ...termsIn(data) })) toast('Saved');
  };
  return (
    <Card title="How it answers">
      <Form key={assistant.updatedAt} onSubmit={save} fault={fault} label="How it answers">
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

function Deletion({ assistant: { id, name } }: { assistant: AssistantPartsFragment }) {
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
        The assistant goes with its files, for everybody it is shared with. This can not be undone.
      </p>
      <ConfirmButton
        label="Delete this assistant"
        title={`Delete ${name}?`}
        question="It goes with all its files, for everybody it is shared with. This can not be undone."
        confirmLabel="Delete it"
        onConfirm={remove}
      />
    </Card>
  );
}
