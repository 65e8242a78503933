import { useLocation } from 'wouter';
import { useGraphMutation } from '../graph/use-graph-mutation.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Form, FormButtons } from '../ui/form.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { CreateAssistantDocument } from './documents.ts';
import { readTerms, TermsFields } from './terms-fields.tsx';

export function NewAssistant() {
  const { run, busy, fault } = useGraphMutation(CreateAssistantDocument, {
    invalidates: ['Assistant'],
  });
  const [, go] = useLocation();
  const create = async (data: FormData) => {
    const result = await run(readTerms(data));
    if (result) go(`/${result.createAssistant.id}`);
  };
  return (
    <>
      <PageHead
        title="New assistant"
        lead="You are its owner. Nobody else can see it until you share it."
        back={{ href: '/', label: 'Assistants' }}
      />
      <Card>
        <Form onSubmit={create} fault={fault} label="New assistant">
          <TermsFields />
          <FormButtons>
            <LinkButton href="/">Cancel</LinkButton>
            <Button type="submit" kind="primary" busy={busy}>
              Create
            </Button>
          </FormButtons>
        </Form>
      </Card>
    </>
  );
}
