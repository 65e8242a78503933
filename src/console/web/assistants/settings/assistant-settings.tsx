import { useLocation } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { Notice } from '../../ui/status.tsx';
import { type AssistantFieldsFragment, DeleteAssistantDocument } from '../documents.ts';
import { mayEdit, mayShare } from '../levels.ts';
import { Sharing } from './sharing.tsx';
import { TermsForm } from './terms-form.tsx';

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
      <Notice>{t('assistants.readOnlyHint')}</Notice>
      <Card title={t('assistants.modelAndInstructions')}>
        <dl className="assistants-facts">
          <dt>{t('assistants.model')}</dt>
          <dd>{model ?? t('assistants.defaultModel')}</dd>
          <dt>{t('assistants.stepLimit')}</dt>
          <dd>{stepLimit}</dd>
        </dl>
      </Card>
    </>
  );
}

function DeleteAssistant({ assistant: { id, name } }: { assistant: AssistantFieldsFragment }) {
  const { run, busy, fault } = useGraphMutation(DeleteAssistantDocument, {
    invalidates: ['Assistant'],
    success: t('assistants.wasDeleted', { name }),
  });
  const [, go] = useLocation();
  const remove = async () => {
    if (await run({ assistantId: id })) go('~/assistants');
  };
  return (
    <Card title={t('assistants.delete')}>
      <p>{t('assistants.deleteHint')}</p>
      <ConfirmButton
        label={t('assistants.deleteAssistant')}
        title={t('assistants.deleteQuestion', { name })}
        question={t('assistants.deleteHint')}
        confirmLabel={t('assistants.delete')}
        onConfirm={remove}
        action={{ busy, fault }}
      />
    </Card>
  );
}
