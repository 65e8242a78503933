import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type CampaignTermsFragment, UpdateCampaignDocument } from '../documents.ts';
import { readText, toFieldValue } from '../form-values.ts';
import { CampaignFields, readTerms } from './campaign-fields.tsx';
import { findListFaults, type ListFaults } from './list-faults.ts';

/** Edits a campaign. New terms apply to redemptions from then on. */
export function EditCampaign({ campaign }: { campaign: CampaignTermsFragment }) {
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
    const { expiresAt, ...terms } = readTerms(data);
    const listFaults = findListFaults(terms);
    setFaults(listFaults);
    if (Object.keys(listFaults).length > 0) return;
    // The field has no seconds, so an end date that was not edited is not sent.
    const isEndUnchanged = (readText(data, 'expiresAt') ?? '') === toFieldValue(campaign.expiresAt);
    if (
      !(await run({ campaignId: campaign.id, ...terms, ...(isEndUnchanged ? {} : { expiresAt }) }))
    )
      return;
    toast('The campaign was saved');
    setOpen(false);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="edit" /> Edit
      </Button>
      <Dialog title="Edit campaign" open={isOpen} onClose={close} wide>
        <p className="quiet">Existing redemptions keep their terms.</p>
        <Form onSubmit={change} fault={fault} label="Edit campaign">
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
