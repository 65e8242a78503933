import { useState } from 'react';
import { useLocation } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { CreateAssistantDocument } from '../documents.ts';
import { type AssistantTerms, readTerms, TermsFields } from '../terms-fields.tsx';
import { TemplateList } from './template-list.tsx';

export function NewAssistant() {
  const { run, busy, fault } = useGraphMutation(CreateAssistantDocument, {
    invalidates: ['Assistant'],
  });
  const [, go] = useLocation();
  const [template, setTemplate] = useState<AssistantTerms>();
  const [hasEntries, setHasEntries] = useState(false);
  // A template that is chosen again fills the form again.
  const [filling, setFilling] = useState(0);
  const fill = (chosen: AssistantTerms) => {
    setTemplate(chosen);
    setHasEntries(false);
    setFilling(filling + 1);
  };
  const create = async (data: FormData) => {
    const result = await run(readTerms(data));
    if (result) go(`/${result.createAssistant.assistant.id}`);
  };
  return (
    <>
      <PageHead
        title={t('assistants.newAssistant')}
        lead={t('assistants.newAssistantLead')}
        back={{ href: '/', label: t('assistants.assistants') }}
      />
      <TemplateList chosen={template?.name} hasEntries={hasEntries} onChoose={fill} />
      <Card>
        <div onInput={() => setHasEntries(true)}>
          <Form
            key={filling}
            onSubmit={create}
            action={{ busy, fault }}
            label={t('assistants.newAssistant')}
            submit={t('assistants.create')}
            guardsChanges
            buttons={<LinkButton href="/">{t('ui.cancel')}</LinkButton>}
          >
            <TermsFields {...(template && { terms: template })} />
          </Form>
        </div>
      </Card>
    </>
  );
}
