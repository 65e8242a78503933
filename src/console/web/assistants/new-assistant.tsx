import { useLocation } from 'wouter';
import { useGraphMutation } from '../graph/use-graph.ts';
import { LinkButton } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { Card, PageHead } from '../ui/page.tsx';
import { CreateAssistantDocument } from './documents.ts';
import { readTerms, TermsFields } from './terms-fields.tsx';

export function NewAssistant() {
  const { run, busy, fault } = useGraphMutation(CreateAssistantDocument, {
    invalidates: ['Assistant'],
  });
  const [, go] = useLocation();
  const create = async (data: FormData) => {
    const result = await run(readTerms(data));
    if (result) go(`/${result.createAssistant.assistant.id}`);
  };
  return (
    <>
      <PageHead
        title="New assistant"
        lead="You are its owner. Nobody else can see it until you share it."
        back={{ href: '/', label: 'Assistants' }}
      />
      <Card>
        <Form
          onSubmit={create}
          action={{ busy, fault }}
          label="New assistant"
          submit="Create"
          guardsChanges
          buttons={<LinkButton href="/">Cancel</LinkButton>}
        >
          <TermsFields />
        </Form>
      </Card>
    </>
  );
}
