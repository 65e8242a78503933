import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CreateCampaignDocument } from '../documents.ts';
import { CampaignFields, readTerms } from './campaign-fields.tsx';
import { findListFaults, type ListFaults } from './list-faults.ts';

/** Creates a campaign. `onDone` receives its id, or nothing when the person cancelled. */
export function CreateCampaign({ onDone }: { onDone: (campaignId?: string) => void }) {
  const { run, busy, fault } = useGraphMutation(CreateCampaignDocument, {
    invalidates: ['Campaign'],
  });
  const [faults, setFaults] = useState<ListFaults>({});
  const toast = useToast();
  const create = async (data: FormData) => {
    const terms = readTerms(data);
    const listFaults = findListFaults(terms);
    setFaults(listFaults);
    if (Object.keys(listFaults).length > 0) return;
    const result = await run(terms);
    if (!result) return;
    toast('The campaign was created. Create a link to share it.');
    onDone(result.createCampaign.id);
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
