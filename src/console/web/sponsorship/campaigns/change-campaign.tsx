import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type CampaignTermsFragment, UpdateCampaignDocument } from '../documents.ts';
import { momentForField, textFieldValue } from '../form-values.ts';
import { CampaignFields, termsIn } from './campaign-fields.tsx';
import { faultsOfLists, type ListFaults } from './list-faults.ts';

/** Changed terms hold for what is redeemed from then on. */
export function ChangeCampaign({ campaign }: { campaign: CampaignTermsFragment }) {
  const [isOpen, setOpen] = useState(false);
  const { run, busy, fault, clear } = useGraphMutation(UpdateCampaignDocument);
  const [faults, setFaults] = useState<ListFaults>({});
  const toast = useToast();
  const close = () => {
    clear();
    setFaults({});
    setOpen(false);
  };
  const change = async (data: FormData) => {
    const { expiresAt, ...terms } = termsIn(data);
    const wrong = faultsOfLists(terms);
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) return;
    // The field shows minutes: an end that was not touched keeps its seconds.
    const isSameEnd =
      (textFieldValue(data, 'expiresAt') ?? '') === momentForField(campaign.expiresAt);
    if (!(await run({ campaignId: campaign.id, ...terms, ...(isSameEnd ? {} : { expiresAt }) })))
      return;
    toast('The campaign was changed');
    setOpen(false);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="edit" /> Change
      </Button>
      <Dialog title="Change campaign" open={isOpen} onClose={close} wide>
        <p className="quiet">What was redeemed already keeps the terms that it was made under.</p>
        <Form onSubmit={change} fault={fault} label="Change campaign">
          <CampaignFields terms={campaign} faults={faults} />
          <FormButtons>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Save changes
            </Button>
          </FormButtons>
        </Form>
      </Dialog>
    </>
  );
}
