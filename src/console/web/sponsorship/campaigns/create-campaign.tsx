import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CreateCampaignDocument } from '../documents.ts';
import { CampaignFields, termsIn } from './campaign-fields.tsx';
import { faultsOfLists, type ListFaults } from './list-faults.ts';

/** Answers the new campaign, or nothing where it was let be. */
export function CreateCampaign({ onDone }: { onDone: (campaignId?: string) => void }) {
  const { run, busy, fault } = useGraphMutation(CreateCampaignDocument, {
    invalidates: ['Campaign'],
  });
  const [faults, setFaults] = useState<ListFaults>({});
  const toast = useToast();
  const create = async (data: FormData) => {
    const terms = termsIn(data);
    const wrong = faultsOfLists(terms);
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) return;
    const made = await run(terms);
    if (!made) return;
    toast('The campaign is there. Make a link to hand it out.');
    onDone(made.createCampaign.id);
  };
  return (
    <Form onSubmit={create} fault={fault} label="New campaign">
      <CampaignFields faults={faults} />
      <FormButtons>
        <Button onClick={() => onDone()}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy}>
          Create campaign
        </Button>
      </FormButtons>
    </Form>
  );
}
