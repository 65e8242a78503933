import { useAction } from '../../graph/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CreateCampaignDocument } from '../documents.ts';
import { CampaignFields, termsIn } from './campaign-fields.tsx';

/** Answers the new campaign, or nothing where it was let be. */
export function CreateCampaign({ onDone }: { onDone: (campaignId?: string) => void }) {
  const { run, busy, fault } = useAction(CreateCampaignDocument, { touches: ['Campaign'] });
  const toast = useToast();
  const create = async (data: FormData) => {
    const made = await run(termsIn(data));
    if (!made) return;
    toast('The campaign is there. Make a link to hand it out.');
    onDone(made.createCampaign.id);
  };
  return (
    <Form onSubmit={create} fault={fault} label="New campaign">
      <CampaignFields />
      <FormButtons>
        <Button onClick={() => onDone()}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy}>
          Create campaign
        </Button>
      </FormButtons>
    </Form>
  );
}
